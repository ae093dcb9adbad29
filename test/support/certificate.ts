import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Signed by itself, for `localhost` and 127.0.0.1, from 2020 until 2120: a machine may live in another year. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUeFD/qeUbOWTY6KXt7+VwFBIXpmwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAy
MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQjkprNcAoSFlHBN8Z12ZwHlaOQZJ0ZwC05IFPfzczcCvt5PYtMhMLK
FAu9ibW1aRPfomZUKznQq3nAYJVQtfTuo28wbTAdBgNVHQ4EFgQUgYOFiBsXw+g3
4AsRGQggk34Y16gwHwYDVR0jBBgwFoAUgYOFiBsXw+g34AsRGQggk34Y16gwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgQiOIiwx++T3Rszus98U77/VtEZYepuo+yxRIJaNcTgoCIQDh
PSbYpYzQxfttgCb9NTpDnnRhVOUQIUJdITURtPpSgg==
-----END CERTIFICATE-----
`;

/** Of the certificate above, and of nothing else in the world. */
const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTMZBvXL8fWWIDEx4
h69VkZc6BWtXmADs/yKZrLExxxGhRANCAAQjkprNcAoSFlHBN8Z12ZwHlaOQZJ0Z
wC05IFPfzczcCvt5PYtMhMLKFAu9ibW1aRPfomZUKznQq3nAYJVQtfTu
-----END PRIVATE KEY-----
`;

/** The variables of a service that speaks TLS with it. */
export function tlsIn(folder: string): Record<'SERVICE_TLS_CERT' | 'SERVICE_TLS_KEY', string> {
  const files = { SERVICE_TLS_CERT: join(folder, 'cert.pem'), SERVICE_TLS_KEY: join(folder, 'key.pem') };
  writeFileSync(files.SERVICE_TLS_CERT, certificate);
  writeFileSync(files.SERVICE_TLS_KEY, privateKey, { mode: 0o600 });
  return files;
}
