"""A phone of feature level 468 and later in 40 lines of Python. It needs libsodium, as phone.py does.

python3 phone-device.py register SERVER EMAIL API_KEY BOUNCER_PUBLIC_KEY TOKEN_KIND TOKEN [IOS_APP_ID] > phone.json
python3 phone-device.py rotate SERVER EMAIL API_KEY phone.json > newer.json
python3 phone-device.py open phone.json < notification.json
"""
import base64, ctypes, ctypes.util, hashlib, json, secrets, sys, time, urllib.parse, urllib.request

sodium = ctypes.CDLL(ctypes.util.find_library("sodium"))
sodium.sodium_init()
encode = lambda data: base64.b64encode(data).decode()

def new_key():
    return {"push_key_id": str(secrets.randbits(32)), "push_key": encode(b"\x31" + secrets.token_bytes(32))}

def seal(plaintext, public_key):
    box = ctypes.create_string_buffer(len(plaintext) + 48)
    size = ctypes.c_ulonglong(len(plaintext))
    if sodium.crypto_box_seal(box, plaintext, size, base64.b64decode(public_key)) != 0:
        raise ValueError("the public key is unusable")
    return encode(box.raw)

def call(server, email, api_key, path, fields):
    request = urllib.request.Request(f"{server}/api/v1/{path}", urllib.parse.urlencode(fields).encode())
    request.add_header("Authorization", "Basic " + encode(f"{email}:{api_key}".encode()))
    return json.load(urllib.request.urlopen(request, timeout=30))

def register(server, email, api_key, bouncer_key, kind, token, app=None):
    login = server, email, api_key
    device = {"device_id": str(call(*login, "register_client_device", {})["device_id"]), "keys": [new_key()]}
    registration = {"token": token, "token_kind": kind, "timestamp": int(time.time()), "ios_app_id": app}
    form = {"device_id": device["device_id"], **device["keys"][0], "token_kind": kind,
            "token_id": encode(hashlib.sha256(token.encode()).digest()[:8]), "bouncer_public_key": bouncer_key,
            "encrypted_push_registration": seal(json.dumps(registration).encode(), bouncer_key)}
    call(*login, "mobile_push/register", form)
    print(json.dumps(device))  # now wait for the event device

def rotate(server, email, api_key, path):
    device = json.load(open(path))
    device["keys"].insert(0, new_key())  # older ones: for what is on its way
    call(server, email, api_key, "mobile_push/register", {"device_id": device["device_id"], **device["keys"][0]})
    print(json.dumps(device))

def open_notification(path):
    device, notification = json.load(open(path)), json.load(sys.stdin)
    keys = {key["push_key_id"]: base64.b64decode(key["push_key"])[1:] for key in device["keys"]}
    box = base64.b64decode(notification["encrypted_data"], validate=True)
    plaintext = ctypes.create_string_buffer(len(box) - 40)
    key = keys[str(notification["push_key_id"])]  # KeyError: it is for a key that this phone does not have
    if sodium.crypto_secretbox_open_easy(plaintext, box[24:], ctypes.c_ulonglong(len(box) - 24), box[:24], key) != 0:
        raise ValueError("the notification cannot be decrypted")
    print(plaintext.raw.decode().rstrip())

{"register": register, "rotate": rotate, "open": open_notification}[sys.argv[1]](*sys.argv[2:])
