"""A phone in 40 lines of Python. It needs libsodium (apt install libsodium23, brew install libsodium).

python3 phone.py register SERVER EMAIL API_KEY BOUNCER_PUBLIC_KEY TOKEN_KIND TOKEN [IOS_APP_ID] > account.json
python3 phone.py open account.json < notification.json
"""
import base64, ctypes, ctypes.util, json, secrets, sys, time, urllib.parse, urllib.request

sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
sodium.sodium_init()

def seal(plaintext, public_key):
    box = ctypes.create_string_buffer(len(plaintext) + 48)
    size = ctypes.c_ulonglong(len(plaintext))
    if sodium.crypto_box_seal(box, plaintext, size, base64.b64decode(public_key)) != 0:
        raise ValueError("the public key is unusable")
    return base64.b64encode(box.raw).decode()

def register(server, email, api_key, bouncer_key, kind, token, app=None):
    public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    sodium.crypto_box_keypair(public, secret)
    account = {"push_account_id": str(secrets.randbits(64) - 2**63)}  # text: 64 bits are too many for a double
    account |= {"public": base64.b64encode(public.raw).decode(), "secret": base64.b64encode(secret.raw).decode()}
    registration = {"token": token, "token_kind": kind, "timestamp": int(time.time())}
    if app is not None:
        registration["ios_app_id"] = app
    box = seal(json.dumps(registration).encode(), bouncer_key)
    form = {"token_kind": kind, "push_account_id": account["push_account_id"], "push_public_key": account["public"],
            "bouncer_public_key": bouncer_key, "encrypted_push_registration": box}
    request = urllib.request.Request(server + "/api/v1/mobile_push/register", urllib.parse.urlencode(form).encode())
    request.add_header("Authorization", "Basic " + base64.b64encode(f"{email}:{api_key}".encode()).decode())
    urllib.request.urlopen(request, timeout=30)
    print(json.dumps(account))  # now wait for the event push_device

def open_notification(path):
    account, notification = json.load(open(path)), json.load(sys.stdin)
    if str(notification["push_account_id"]) != account["push_account_id"]:
        raise ValueError("the notification is for another account")
    box = base64.b64decode(notification["encrypted_data"], validate=True)
    plaintext = ctypes.create_string_buffer(len(box) - 48)
    keys = base64.b64decode(account["public"]), base64.b64decode(account["secret"])
    if sodium.crypto_box_seal_open(plaintext, box, ctypes.c_ulonglong(len(box)), *keys) != 0:
        raise ValueError("the notification cannot be decrypted")
    print(plaintext.raw.decode().rstrip())

{"register": register, "open": open_notification}[sys.argv[1]](*sys.argv[2:])
