import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGlobalUnicast, parsePublicUrl } from '#shared/domain/reference/public-url.rules.ts';

const allowed = (url: string, options = {}) => parsePublicUrl(url, options).url !== undefined;

describe('a URL that an organization chose', () => {
  it.each([
    'https://hooks.example.com/in?x=1#y',
    'https://hooks.example.com:443',
    'https://hooks.example.com:8443/in',
    'https://xn--bcher-kva.example',
    'https://bücher.example',
    'https://8.8.8.8/in',
    'https://[2606:4700::1111]/in',
    'https://local.example.com',
    'https://mylocal',
    'https://internal.example.com',
    'https://127.0.0.1.nip.io',
    'https://9.255.255.255',
    'https://172.15.255.255',
    'https://172.32.0.0',
    'https://100.63.255.255',
    'https://192.167.255.255',
    'https://223.255.255.255',
  ])('is allowed: %s', (url) => expect(allowed(url)).toBe(true));

  it.each([
    ['plain HTTP', 'http://hooks.example.com'],
    ['another protocol', 'ftp://hooks.example.com'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:text/plain,x'],
    ['not a URL', 'hooks.example.com'],
    ['an empty string', ''],
    ['another port', 'https://hooks.example.com:444'],
    ['port 80', 'https://hooks.example.com:80'],
    ['a user', 'https://user@hooks.example.com'],
    ['a password', 'https://:pass@hooks.example.com'],
    ['localhost', 'https://localhost'],
    ['localhost with a final dot', 'https://localhost.'],
    ['localhost with two final dots', 'https://localhost..'],
    ['localhost in capitals', 'https://LOCALHOST'],
    ['localhost with an encoded dot', 'https://x.localhost%2e/'],
    ['a name under .localhost', 'https://app.localhost'],
    ['a name under .local', 'https://printer.local'],
    ['a name under .local with a final dot', 'https://printer.local.'],
    ['a name under .internal', 'https://metadata.google.internal'],
    ['a name under .internal in full-width letters', 'https://x.ｉｎｔｅｒｎａｌ'],
    ['loopback', 'https://127.0.0.1'],
    ['the rest of loopback', 'https://127.255.255.254'],
    ['loopback in short', 'https://127.1'],
    ['loopback as a number', 'https://2130706433'],
    ['loopback in hexadecimal', 'https://0x7f000001'],
    ['loopback in octal', 'https://0177.0.0.1'],
    ['loopback as one octal number', 'https://017700000001'],
    ['loopback in mixed notation', 'https://0x7f.0.0x1'],
    ['loopback with a final dot', 'https://127.0.0.1.'],
    ['loopback in circled digits', 'https://①②⑦.0.0.1'],
    ['loopback with ideographic stops', 'https://127。0。0。1'],
    ['loopback percent-encoded', 'https://%31%32%37.0.0.1'],
    ['loopback behind backslashes', 'https:\\\\127.0.0.1'],
    ['loopback without slashes', 'https:127.0.0.1'],
    ['zero', 'https://0'],
    ['unspecified', 'https://0.0.0.0'],
    ['this network', 'https://0.1.2.3'],
    ['private 10/8', 'https://10.0.0.1'],
    ['private 172.16/12', 'https://172.31.255.255'],
    ['private 192.168/16', 'https://192.168.1.1'],
    ['link-local', 'https://169.254.1.1'],
    ['metadata of AWS, Google, Azure', 'https://169.254.169.254/latest/meta-data'],
    ['metadata as a number', 'https://2852039166'],
    ['metadata of Alibaba (carrier-grade NAT)', 'https://100.100.100.200'],
    ['metadata of Oracle', 'https://192.0.0.192'],
    ['host agent of Azure', 'https://168.63.129.16'],
    ['carrier-grade NAT', 'https://100.127.255.255'],
    ['documentation 1', 'https://192.0.2.1'],
    ['documentation 2', 'https://198.51.100.1'],
    ['documentation 3', 'https://203.0.113.1'],
    ['benchmarking', 'https://198.19.255.255'],
    ['the 6to4 relay', 'https://192.88.99.1'],
    ['multicast', 'https://224.0.0.1'],
    ['reserved', 'https://240.0.0.1'],
    ['broadcast', 'https://255.255.255.255'],
    ['IPv6 loopback', 'https://[::1]'],
    ['IPv6 loopback in full', 'https://[0:0:0:0:0:0:0:1]'],
    ['IPv6 unspecified', 'https://[::]'],
    ['IPv4-mapped loopback', 'https://[::ffff:127.0.0.1]'],
    ['IPv4-mapped public', 'https://[::ffff:8.8.8.8]'],
    ['IPv4-compatible', 'https://[::8.8.8.8]'],
    ['IPv4-translated', 'https://[::ffff:0:8.8.8.8]'],
    ['NAT64', 'https://[64:ff9b::169.254.169.254]'],
    ['local NAT64', 'https://[64:ff9b:1::1]'],
    ['6to4', 'https://[2002:7f00:1::]'],
    ['Teredo', 'https://[2001::1]'],
    ['IPv6 benchmarking', 'https://[2001:2::1]'],
    ['ORCHID', 'https://[2001:20::1]'],
    ['IPv6 documentation', 'https://[2001:db8::1]'],
    ['the new IPv6 documentation prefix', 'https://[3fff::1]'],
    ['IPv6 link-local', 'https://[fe80::1]'],
    ['IPv6 site-local', 'https://[fec0::1]'],
    ['IPv6 private', 'https://[fd12:3456::1]'],
    ['IPv6 metadata of AWS', 'https://[fd00:ec2::254]'],
    ['IPv6 multicast', 'https://[ff02::1]'],
    ['IPv6 discard', 'https://[100::1]'],
    ['IPv6 dummy prefix', 'https://[100:0:0:1::1]'],
    ['IPv6 segment routing', 'https://[5f00::1]'],
    ['IPv6 unassigned', 'https://[4000::1]'],
  ])('is rejected: %s', (_, url) => expect(allowed(url)).toBe(false));

  it('is classified the same in every notation of its IPv4 address', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        const forms = [
          `${number}`,
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
          `${a}.${(b * 256 + c) * 256 + d}`,
        ];
        return forms.every((form) => allowed(`https://${form}`) === isGlobalUnicast(`${a}.${b}.${c}.${d}`));
      }),
    );
  });
});

describe('the exception of the local host', () => {
  const local = { allowLoopbackHttp: true };
  it.each([
    'http://127.0.0.1:4002/receiver/a/hook',
    'http://localhost:4002/x',
    'http://localhost',
    'https://hooks.example.com',
  ])('allows %s', (url) => {
    expect(allowed(url, local)).toBe(true);
  });

  it.each([
    'http://hooks.example.com',
    'http://127.0.0.2',
    'http://[::1]',
    'http://10.0.0.1',
    'http://169.254.169.254',
    'http://0.0.0.0',
    'http://app.localhost',
    'http://localhost.',
    'http://localhost.example.com',
    'http://user@localhost',
    'https://127.0.0.1',
    'https://localhost:8443',
    'https://10.0.0.1',
    'ftp://127.0.0.1',
  ])('allows nothing else: %s', (url) => expect(allowed(url, local)).toBe(false));

  it('binds localhost to loopback addresses, and other names to public ones', () => {
    const [here, there] = ['http://localhost:1', 'https://hooks.example.com'].map((url) => parsePublicUrl(url, local));
    const verdicts = ['127.0.0.1', '::1', '10.0.0.1', '8.8.8.8'].map((address) =>
      [here, there].map((receiver) => receiver?.url && receiver.allows(address)),
    );
    expect(verdicts).toEqual([
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ]);
  });
});

describe('an address that a name resolves to', () => {
  it.each(['', 'example.com', '127.0.0.1', 'fe80::1%eth0', '::ffff:8.8.8.8', '8.8.8.8.'])(
    'is not public: %j',
    (address) => {
      expect(isGlobalUnicast(address)).toBe(false);
    },
  );
});
