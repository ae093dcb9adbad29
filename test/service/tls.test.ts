import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { localUrl } from '../../src/interfaces/rest/certificate.ts';
import { TemporaryFolder } from '../interfaces/cli/hark.ts';
import { certificate, tlsIn } from '../support/certificate.ts';
import { InProcessService, ServiceProcess } from '../support/service.ts';

function ask(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { ca: certificate, agent: false }, (answer) => text(answer).then(resolve, reject)).on(
      'error',
      reject,
    );
  });
}

describe('TLS', () => {
  test('is spoken by the REST API and the tool server, and nothing else is', async () => {
    using folder = new TemporaryFolder();
    const service = await InProcessService.start(tlsIn(folder.path));
    const health: unknown = JSON.parse(await ask(`https://127.0.0.1:${service.port}/health`));
    assert.equal(Object(health).status, 'healthy');
    const refusal = await ask(service.mcpUrl.replace('http:', 'https:').replace('/mcp', '/nowhere'));
    assert.equal(Object(JSON.parse(refusal)).error, 'Not found');
    const plain = await fetch(`${service.url}/health`).catch(() => undefined);
    assert.equal(plain, undefined);
    await service.stop();
  });

  test('a stop waits for nobody who has not said hello yet', async () => {
    using folder = new TemporaryFolder();
    const service = await InProcessService.start(tlsIn(folder.path));
    const silent = connect(service.port, '127.0.0.1');
    await once(silent, 'connect');
    const gone = once(silent, 'close');
    await service.stop();
    await gone;
  });

  test('a program on this machine asks under a name that the certificate is for', () => {
    using folder = new TemporaryFolder();
    const own = readConfig({ ...tlsIn(folder.path), SERVICE_HOST: '0.0.0.0', SERVICE_ALLOW_OPEN: 'true' });
    assert.equal(localUrl(own, 1), 'https://127.0.0.1:1');
    writeFileSync(join(folder.path, 'named.pem'), NAMED);
    const named = { ...own, SERVICE_TLS_CERT: join(folder.path, 'named.pem') };
    assert.equal(localUrl(named, 1), 'https://hark.example.test:1');
    assert.equal(localUrl({ ...named, SERVICE_HOST: '192.0.2.1' }, 1), 'https://192.0.2.1:1');
    assert.equal(localUrl({ ...own, SERVICE_TLS_CERT: '/does/not/exist' }, 1), 'https://127.0.0.1:1');
    assert.equal(localUrl(readConfig({}), 1), 'http://127.0.0.1:1');
  });

  const bad = [
    ['SERVICE_TLS_CERT', '/does/not/exist', /^SERVICE_TLS_CERT: the file cannot be read \(ENOENT\)$/m],
    ['SERVICE_TLS_CERT', 'no.pem', /^SERVICE_TLS_CERT: must be a file with a certificate in PEM$/m],
    ['SERVICE_TLS_KEY', 'no.pem', /^SERVICE_TLS_KEY: must be a file with a private key in PEM/m],
    ['SERVICE_TLS_KEY', 'other.pem', /^SERVICE_TLS_KEY: must be the key of the certificate/m],
  ] as const;
  for (const [variable, file, told] of bad)
    test(`${variable}=${file} ends the start with 78`, async () => {
      using folder = new TemporaryFolder();
      const environment = tlsIn(folder.path);
      writeFileSync(join(folder.path, 'no.pem'), 'nothing');
      writeFileSync(join(folder.path, 'other.pem'), OTHER_KEY);
      const named = file.startsWith('/') ? file : join(folder.path, file);
      const service = new ServiceProcess({ ...environment, [variable]: named });
      assert.equal(await service.exitCode(), 78);
      assert.match(service.stderr, told);
      await service.stop();
    });
});

/** For `hark.example.test` alone. */
const NAMED = `-----BEGIN CERTIFICATE-----
MIIBpDCCAUqgAwIBAgIUIkhYa0tK+GpBzrelgUT1R70c+4swCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEaGFyazAgFw0yNjExMjMwMDExNTdaGA8yMTI2MTAzMDAwMTE1
N1owDzENMAsGA1UEAwwEaGFyazBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDLo
yv0Usvhys+WWBEd2d1REEAzeqvUXUdy6InagJMrkSbJKruRGFCfSTMz0rBvSKR5p
ErlCjmLSW4mQf9CUMfKjgYEwfzAdBgNVHQ4EFgQU9p4XWFiIoH/J3Ez8sLlNZbZs
UokwHwYDVR0jBBgwFoAU9p4XWFiIoH/J3Ez8sLlNZbZsUokwDwYDVR0TAQH/BAUw
AwEB/zAsBgNVHREEJTAjgg4qLmV4YW1wbGUudGVzdIIRaGFyay5leGFtcGxlLnRl
c3QwCgYIKoZIzj0EAwIDSAAwRQIgNVWNt1LYbJlAOCUDC15M9fTStYkg5Eott6XH
Y785eZgCIQCn+ySAK463qzneapwlJUAi5zm8DrBIV2LERzCG7ZkRJQ==
-----END CERTIFICATE-----
`;

/** Of no certificate. */
const OTHER_KEY = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIO5RnQOAJ9D1y5es2JKS9oZQY3DtTSzudbZLdSkS9YH4oAoGCCqGSM49
AwEHoUQDQgAEy+CG5DioMQ+4/qOa69xOQd6Qf5JPiNtqZ65HACZ7ZORXBwGL9N1q
jZZdXX8SWKmsV8Mp/Vc0Fg/sa3Fbyxwxwg==
-----END EC PRIVATE KEY-----
`;
