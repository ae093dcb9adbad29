import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from '../../src/config.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'compose.yaml'), 'utf8');

const name = z.string().regex(/^[a-zA-Z0-9._-]+$/);
const mount = z.string().regex(/^[^:]+:\/[^:]+(:ro)?$/);
const port = z.string().regex(/^127\.0\.0\.1:\d+:\d+$/);

/** What the Compose Specification says of the fields that are used here, and no other field. */
const service = z.strictObject({
  build: z.literal('.').optional(),
  image: z.string().regex(/^[a-z0-9./-]+(:[\w.-]+)?$/),
  profiles: z.array(z.string().regex(/^[a-zA-Z0-9][\w.-]+$/)).optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']),
  command: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  tmpfs: z.array(z.string().startsWith('/')).optional(),
  volumes: z.array(mount).default([]),
  ports: z.array(port).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(name).default([]),
  configs: z.array(z.strictObject({ source: name, target: z.string().startsWith('/') })).default([]),
});
const compose = z.strictObject({
  services: z.record(name, service),
  configs: z.record(name, z.strictObject({ content: z.string() })),
  secrets: z.record(name, z.strictObject({ file: z.string() })),
  volumes: z.record(name, z.null()),
});

describe('compose.yaml', () => {
  const { services, configs, secrets, volumes } = compose.parse(parse(text));
  const all = Object.values(services);

  test('has hark, and a profile for each of what may stand beside it', () => {
    const profiles = all.flatMap(({ profiles = [] }) => profiles);
    assert.deepEqual([...new Set(profiles)].sort(), ['observability', 'ollama', 'redis']);
    assert.deepEqual(
      Object.keys(services).filter((one) => services[one]?.profiles === undefined),
      ['hark'],
    );
  });

  test('names nothing that is not there, and has nothing that nobody names', () => {
    const mounts = all.flatMap((one) => one.volumes.map((line) => line.split(':')[0] ?? ''));
    const files = mounts.filter((from) => from.startsWith('.'));
    for (const file of files) assert.ok(existsSync(join(root, file)), file);
    const named = {
      volumes: mounts.filter((from) => !files.includes(from)),
      secrets: all.flatMap((one) => one.secrets),
      configs: all.flatMap((one) => one.configs.map(({ source }) => source)),
    };
    assert.deepEqual([...new Set(named.volumes)].sort(), Object.keys(volumes).sort());
    assert.deepEqual([...new Set(named.secrets)].sort(), Object.keys(secrets).sort());
    assert.deepEqual([...new Set(named.configs)].sort(), Object.keys(configs).sort());
    const addresses = [text, ...Object.values(configs).map(({ content }) => content)].join('\n');
    for (const [, host = ''] of addresses.matchAll(/(?:https?:\/\/|\[')([a-z]+):\d+/g))
      assert.ok(host in services, host);
  });

  test('publishes no port twice, and none of them beyond this machine', () => {
    const ports = all.flatMap((one) => one.ports.map((line) => line.split(':')[1]));
    assert.equal(new Set(ports).size, ports.length);
  });

  test('starts hark with variables that it has, and with no more rights than it needs', () => {
    const hark = services.hark;
    assert.ok(hark?.read_only && hark.build === '.');
    assert.deepEqual([hark.cap_drop, hark.security_opt], [['ALL'], ['no-new-privileges:true']]);
    const variables = Object.entries(hark.environment).map(([variable, value]) => [
      variable,
      value.replace(/^\$\{\w+:-(.*)\}$/, '$1'),
    ]);
    const config = readConfig({
      ...Object.fromEntries(variables),
      SERVICE_API_KEY_FILE: '',
      SERVICE_API_KEY: 'x'.repeat(32),
    });
    assert.equal(config.SERVICE_KVSTORE_URL, 'embedded');
    assert.equal(config.OLLAMA_HOST, 'http://ollama:11434');
  });

  test('gives Prometheus and Grafana what they read', () => {
    for (const { content } of Object.values(configs)) parse(content);
    const scraping = z
      .object({
        rule_files: z.array(z.string()),
        scrape_configs: z.array(z.looseObject({ job_name: z.string() })),
      })
      .parse(parse(configs.prometheus?.content ?? ''));
    assert.deepEqual(scraping.rule_files, ['alerts.yaml']);
    assert.equal(scraping.scrape_configs.length, 1);
  });
});
