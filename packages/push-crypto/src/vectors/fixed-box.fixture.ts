import sodium from 'libsodium-wrappers';

/** A key pair that is the same at every call. */
export function keyPair(seed: string) {
  const privateKey = sodium.crypto_generichash(32, `bellhop test vectors: ${seed}`, null);
  return { privateKey, publicKey: sodium.crypto_scalarmult_base(privateKey) };
}

/** A sealed box whose ephemeral key comes from `seed`, so that it is the same at every call. */
export function sealed(plaintext: string, publicKey: Uint8Array, seed: string): string {
  const ephemeral = keyPair(`ephemeral key of ${seed}`);
  const both = Buffer.concat([ephemeral.publicKey, publicKey]);
  const nonce = sodium.crypto_generichash(sodium.crypto_box_NONCEBYTES, both, null);
  const box = sodium.crypto_box_easy(plaintext, nonce, publicKey, ephemeral.privateKey);
  return Buffer.concat([ephemeral.publicKey, box]).toString('base64');
}
