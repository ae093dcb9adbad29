import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { ConfigError, readConfig, unknownVariables } from '../src/config.ts';

type Environment = Readonly<Record<string, string>>;

function problems(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

const PORT = 'must be a whole number from 0 to 65535';
const COUNT = `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`;
const ORIGINS = 'must be * or a comma-separated list of origins, each scheme://host or scheme://host:port';
const API_KEY = 'must be 8 to 512 printable ASCII characters without spaces';
const URL_OF_WEB = 'must be an http(s) URL';
const HOST = 'must be an IP address or a host name';
const KVSTORE = 'must be embedded, memory, none, redis://… or rediss://…';

const refused: readonly (readonly [variable: string, message: string, values: readonly string[]])[] = [
  ['HEALTH_PORT', PORT, ['many', '0x10', '1e3', '-1', '1.5', ' 80', '65536', '99999999999999999999']],
  ['API_RATE_LIMIT', COUNT, ['0', 'bad', '1e3', '1.5']],
  ['SERVICE_API_RATE_LIMIT', COUNT, ['bad']],
  ['SERVICE_CHAT_RATE_LIMIT', COUNT, ['0']],
  ['SERVICE_AGENT_MAX_STEPS', 'must be a whole number from 1 to 200', ['0', '201']],
  ['SERVICE_NLI_CONTRADICTION_THRESHOLD', 'must be a number from 0 to 1', ['1.1', '-0.5', '.', 'half']],
  ['SERVICE_NLI_ENABLED', 'must be true or false', ['perhaps']],
  ['SERVICE_MDNS_ENABLED', 'must be true or false', ['2']],
  ['SERVICE_HOST', HOST, ['a b', ' ', 'http://a', '1.2.3.400', '[::1]', 'a/b', 'a:80', '-a']],
  ['SERVICE_API_KEY', API_KEY, [' ', 'short', 'the api key', 'the-api-key\n', 'schlüssel', 'k'.repeat(513)]],
  ['SERVICE_USER_ID', 'must be 1 to 128 letters, digits, _ or -', ['a b']],
  ['SERVICE_KVSTORE_URL', KVSTORE, ['disk', 'http://a', 'redis-secret-url']],
  ['SERVICE_MAINTENANCE_TIMEZONE', 'must be an IANA time zone', ['Mars/Olympus']],
  [
    'CORS_ORIGIN',
    ORIGINS,
    [
      'not an origin',
      'http://a/path',
      'http://a/',
      'http://a,',
      'a',
      'http://u@a',
      'http://a, *',
      'http://a:x',
    ],
  ],
  [
    'SERVICE_TRUSTED_PROXIES',
    'must be a comma-separated list of IP addresses and networks (10.0.0.0/8)',
    ['proxy.local', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '1.2.3'],
  ],
  ...[
    'ANTHROPIC_BASE_URL',
    'OPENAI_BASE_URL',
    'OPENROUTER_BASE_URL',
    'OLLAMA_HOST',
    'SERVICE_MODEL_MIRROR',
  ].map((variable) => [variable, URL_OF_WEB, ['ftp://x', 'nowhere', 'localhost:11434']] as const),
];

const accepted: readonly (readonly [variable: string, values: readonly string[]])[] = [
  ['HEALTH_PORT', ['0', '80', '65535']],
  ['SERVICE_HOST', ['127.0.0.1', '::1', 'localhost']],
  ['SERVICE_API_KEY', ['12345678', '!~the-api-key']],
  ['SERVICE_NLI_CONTRADICTION_THRESHOLD', ['0', '1', '0.25', '.5', '1.']],
  ['SERVICE_KVSTORE_URL', ['none', 'redis://127.0.0.1:6379', 'rediss://u:p@a/1']],
  ['SERVICE_TRUSTED_PROXIES', ['127.0.0.1', '10.0.0.0/8, fd00::/8,::1', '0.0.0.0/0']],
  ['CORS_ORIGIN', ['http://a', 'https://a.org:8443, http://[::1]:5173', 'capacitor://localhost']],
  ['OLLAMA_HOST', ['http://127.0.0.1:11434', 'https://a.org/under/path']],
];

describe('a bad variable is told in one line: its name and what is allowed', () => {
  for (const [variable, message, values] of refused)
    it(variable, () => {
      for (const value of values)
        assert.deepEqual(problems({ [variable]: value }), [`${variable}: ${message}`], JSON.stringify(value));
    });
  it('and good ones are taken', () => {
    for (const [variable, values] of accepted)
      for (const value of values)
        assert.deepEqual(problems({ [variable]: value }), [], `${variable}=${value}`);
  });
});

describe('variables that do not go together', () => {
  const open = { SERVICE_HOST: '0.0.0.0' };
  const named = (environment: Environment) => problems(environment).map((line) => line.split(':')[0]);

  it('are told beside bad ones', () => {
    const told = named({ ...open, LOG_LEVEL: 'loud', SERVICE_TEST_NOW: '5', MCP_PORT: '3000' });
    assert.deepEqual(told, ['LOG_LEVEL', 'SERVICE_API_KEY', 'MCP_PORT', 'SERVICE_TEST_NOW']);
  });

  it('are not judged by a bad one of them, which is told once', () => {
    assert.deepEqual(named({ ...open, SERVICE_API_KEY: ' ' }), ['SERVICE_API_KEY']);
    assert.deepEqual(named({ SERVICE_TEST_NOW: '5', NODE_ENV: 'tset' }), ['NODE_ENV']);
  });

  it('are every origin and no key', () => {
    assert.deepEqual(problems({ CORS_ORIGIN: '*' }), [
      'CORS_ORIGIN: * requires SERVICE_API_KEY: without a key any web page could send any request',
    ]);
    assert.deepEqual(problems({ CORS_ORIGIN: '*', SERVICE_API_KEY: 'a-long-key' }), []);
    assert.deepEqual(named({ CORS_ORIGIN: '*', SERVICE_API_KEY: ' ' }), ['SERVICE_API_KEY']);
  });

  it('are a certificate without its key, and a key without a certificate', () => {
    assert.deepEqual(problems({ SERVICE_TLS_CERT: '/x' }), [
      'SERVICE_TLS_KEY: required with SERVICE_TLS_CERT',
    ]);
    assert.deepEqual(problems({ SERVICE_TLS_KEY: '/x' }), [
      'SERVICE_TLS_CERT: required with SERVICE_TLS_KEY',
    ]);
  });

  it('are equal ports, unless any free one will do', () => {
    const same = 'which is 5000 too; or be 0';
    assert.deepEqual(problems({ HEALTH_PORT: '5000', MCP_PORT: '5000', AUDIO_PORT: '5000' }), [
      `MCP_PORT: must differ from HEALTH_PORT, ${same}`,
      `AUDIO_PORT: must differ from HEALTH_PORT, ${same}`,
    ]);
    assert.deepEqual(named({ HEALTH_PORT: '3000' }), ['HEALTH_PORT']);
    assert.deepEqual(named({ HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' }), []);
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hark-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (content: string) => {
    const file = join(folder, `${randomUUID()}`);
    writeFileSync(file, content);
    return file;
  };
  const secrets = [
    ...['SERVICE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'],
    ...['SERVICE_CREDENTIAL_SECRET', 'SERVICE_CREDENTIAL_SALT'],
  ];

  for (const name of secrets)
    it(`${name}_FILE, without the line end that editors put there`, () => {
      const config = readConfig({ [`${name}_FILE`]: fileWith('the-very-secret\r\n') });
      assert.equal(Object.entries(config).find(([key]) => key === name)?.[1], 'the-very-secret');
      assert.ok(config.fromEnvironment.has(name));
    });

  it('may be where the log is', () => {
    const url = 'redis://:secret@10.1.2.3/1';
    assert.equal(readConfig({ SERVICE_KVSTORE_URL_FILE: fileWith(`${url}\n`) }).SERVICE_KVSTORE_URL, url);
  });

  it('is told of under the name that was set, never with its content', () => {
    const SERVICE_API_KEY_FILE = fileWith('a key with spaces');
    assert.deepEqual(problems({ SERVICE_API_KEY_FILE }), [`SERVICE_API_KEY_FILE: ${API_KEY}`]);
  });

  it('beside the secret itself is refused, and counts for nothing else', () => {
    const both = { SERVICE_API_KEY: 'the-api-key', SERVICE_API_KEY_FILE: fileWith('the-api-key') };
    const told = 'SERVICE_API_KEY_FILE: SERVICE_API_KEY is set too; set one of them';
    assert.deepEqual(problems(both), [told]);
    assert.deepEqual(problems({ ...both, SERVICE_HOST: '0.0.0.0' }), [told]);
  });

  it('has to be there, and to hold one', () => {
    const message = (ANTHROPIC_API_KEY_FILE: string) => problems({ ANTHROPIC_API_KEY_FILE });
    assert.deepEqual(message('/does/not/exist'), [
      'ANTHROPIC_API_KEY_FILE: the file cannot be read (ENOENT)',
    ]);
    assert.deepEqual(message(folder), ['ANTHROPIC_API_KEY_FILE: the file cannot be read (EISDIR)']);
    assert.deepEqual(message(fileWith('\n')), ['ANTHROPIC_API_KEY_FILE: the file is empty']);
    assert.deepEqual(message(fileWith('k'.repeat(70_000))), [
      'ANTHROPIC_API_KEY_FILE: the file is too long for a secret',
    ]);
  });

  it('is no variable that hark does not know; of what is no secret it is', () => {
    assert.deepEqual(unknownVariables({ SERVICE_API_KEY_FILE: '/x' }), []);
    assert.equal(unknownVariables({ SERVICE_USER_ID_FILE: '/x' }).length, 1);
  });
});

describe('variables that look like ours', () => {
  it('are named with the one that was probably meant', () => {
    const given = {
      SERVICE_DATA_DRI: '/x',
      SERVICE_MEMROY_RETENTION_DAYS: '3',
      SERVICE_HOST: '::1',
      OTHER: '1',
    };
    assert.deepEqual(unknownVariables(given), [
      'SERVICE_DATA_DRI is not a variable of hark; did you mean SERVICE_DATA_DIR?',
      'SERVICE_MEMROY_RETENTION_DAYS is not a variable of hark; did you mean SERVICE_MEMORY_RETENTION_DAYS?',
    ]);
  });

  it('are named alone where none of ours is near, and never with their value', () => {
    const far = `SERVICE_${'X'.repeat(200)}`;
    assert.deepEqual(unknownVariables({ SERVICE_SOMETHING_ELSE_ENTIRELY: 'secret', [far]: '1' }), [
      'SERVICE_SOMETHING_ELSE_ENTIRELY is not a variable of hark',
      `${far.slice(0, 80)} is not a variable of hark`,
    ]);
    assert.deepEqual(unknownVariables({ SERVICE_API_RATE_LIMIT: '1', SERVICE_CHAT_RATE_LIMIT: '1' }), []);
  });
});
