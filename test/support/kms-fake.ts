import { createHmac, randomBytes } from 'node:crypto';
import { decrypt, encrypt } from '#shared/adapters/vault/envelope.rules.ts';
import { type AwsWire, awsWire, type WireCall, type WireReply, wireError } from '#test/support/aws-wire.ts';

type Key = {
  readonly arn: string;
  readonly usage: 'ENCRYPT_DECRYPT' | 'GENERATE_VERIFY_MAC';
  readonly generations: Buffer[];
  disabled: boolean;
};

export type KmsFake = AwsWire & {
  /** Creates a key and returns its ARN. */
  readonly createKey: (usage?: Key['usage']) => string;
  /** Another name for the key, which calls may use in place of its ARN. */
  readonly createAlias: (alias: string, arn: string) => void;
  /** New data keys are wrapped by a new generation; the older ones remain. */
  readonly rotate: (arn: string) => void;
  readonly disable: (arn: string) => void;
  /** The responses to the next calls, whatever they request. */
  readonly fail: (...replies: readonly WireReply[]) => void;
};

const ACCOUNT = 'arn:aws:kms:eu-west-1:000000000000:key/';
/** The number of bytes in a wrapped key that name its key. */
const ID_BYTES = 16;
const MAX_CIPHERTEXT = 6_144;

/**
 * KMS's API with its own error messages. A wrapped key names its key and generation, and is bound to its encryption
 * context.
 */
export async function startKmsFake(): Promise<KmsFake> {
  const keys = new Map<string, Key>();
  const failures: WireReply[] = [];

  function respond({ operation, body }: WireCall): WireReply {
    const failure = failures.shift();
    if (failure) return failure;
    if (operation === 'Decrypt') return decryptWith(body, keys);
    const key = keys.get(body.KeyId);
    const refusal = refusalOf(body.KeyId, key, operation === 'GenerateMac' ? 'GENERATE_VERIFY_MAC' : 'ENCRYPT_DECRYPT');
    if (refusal || !key) return refusal ?? notFound(body.KeyId);
    if (operation === 'GenerateDataKey') return dataKey(key, body.EncryptionContext);
    if (operation === 'GenerateMac') return mac(key, body);
    return wireError('UnknownOperationException');
  }

  const wire = await awsWire(respond);
  return {
    ...wire,
    createKey: (usage = 'ENCRYPT_DECRYPT') => {
      const arn = ACCOUNT + randomBytes(ID_BYTES).toString('hex');
      keys.set(arn, { arn, usage, generations: [randomBytes(32)], disabled: false });
      return arn;
    },
    createAlias: (alias, arn) => {
      const key = keys.get(arn);
      if (key) keys.set(alias, key);
    },
    rotate: (arn) => void keys.get(arn)?.generations.push(randomBytes(32)),
    disable: (arn) => {
      const key = keys.get(arn);
      if (key) key.disabled = true;
    },
    fail: (...replies) => void failures.push(...replies),
  };
}

const notFound = (arn: string) => wireError('NotFoundException', `Key '${arn}' does not exist`);

function refusalOf(arn: string, key: Key | undefined, usage: Key['usage']): WireReply | undefined {
  if (!key) return notFound(arn);
  if (key.disabled) return wireError('DisabledException', `${arn} is disabled.`);
  return key.usage === usage ? undefined : wireError('InvalidKeyUsageException', `${arn} key usage is ${key.usage}`);
}

type Context = Readonly<Record<string, string>>;

/** KMS ignores the order of these pairs. */
const aad = (context: Context = {}) => Buffer.from(JSON.stringify(Object.entries(context).sort()));

function dataKey(key: Key, context: Context): WireReply {
  const plain = randomBytes(32);
  const generation = key.generations.length - 1;
  const box = encrypt(key.generations[generation]!, randomBytes(12), plain, aad(context));
  const blob = Buffer.concat([Buffer.from(key.arn.slice(ACCOUNT.length), 'hex'), Buffer.from([generation]), box]);
  return { body: { KeyId: key.arn, Plaintext: plain.toString('base64'), CiphertextBlob: blob.toString('base64') } };
}

function decryptWith(
  { KeyId, CiphertextBlob, EncryptionContext }: WireCall['body'],
  keys: ReadonlyMap<string, Key>,
): WireReply {
  const blob = Buffer.from(CiphertextBlob, 'base64');
  if (blob.length === 0 || blob.length > MAX_CIPHERTEXT)
    return wireError('ValidationException', "1 validation error detected: Value at 'ciphertextBlob'");
  const arn = ACCOUNT + blob.toString('hex', 0, ID_BYTES);
  const key = keys.get(arn);
  if (!key) return wireError('InvalidCiphertextException');
  if (KeyId !== undefined && keys.get(KeyId)?.arn !== arn)
    return keys.has(KeyId) ? wireError('IncorrectKeyException') : notFound(KeyId);
  const refusal = refusalOf(arn, key, 'ENCRYPT_DECRYPT');
  if (refusal) return refusal;
  const generation = key.generations[blob[ID_BYTES] ?? -1];
  const plain = generation && decrypt(generation, blob.subarray(ID_BYTES + 1), aad(EncryptionContext));
  return plain
    ? { body: { KeyId: arn, Plaintext: plain.toString('base64') } }
    : wireError('InvalidCiphertextException');
}

function mac({ arn, generations }: Key, { Message, MacAlgorithm }: WireCall['body']): WireReply {
  if (MacAlgorithm !== 'HMAC_SHA_256') return wireError('InvalidKeyUsageException');
  const digest = createHmac('sha256', generations[0]!).update(Buffer.from(Message, 'base64')).digest();
  return { body: { KeyId: arn, Mac: digest.toString('base64'), MacAlgorithm } };
}
