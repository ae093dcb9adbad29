import { resolve } from 'node:path';
import { z } from 'zod';
import { isLocale, isZone } from '../zonedTime.ts';
import { areOrigins, isHost } from './addresses.ts';
import { apiKey, count, facts, flag, networks, port, text, webUrl, whole } from './kinds.ts';

const kvstoreError = 'must be embedded, memory, none, redis://… or rediss://…';

/** Of the service itself: where it listens, who may ask how often, where it keeps what, and what it tells. */
export const serviceVariables = {
  HEALTH_PORT: port.default(4102).register(facts, { about: 'Port of the REST API; 0 means any free one' }),
  MCP_PORT: port.default(4100).register(facts, { about: 'Port of the tool server' }),
  AUDIO_PORT: port.default(3000).register(facts, { about: 'Port of the WebSockets of voice' }),
  WYOMING_PORT: port.optional().register(facts, {
    about: 'Port for Home Assistant (Wyoming protocol); it knows no key, so it listens on loopback alone',
  }),
  SERVICE_HOST: text
    .refine(isHost, 'must be an IP address or a host name')
    .default('127.0.0.1')
    .register(facts, { about: 'Address of all listeners' }),
  SERVICE_API_KEY: apiKey
    .optional()
    .register(facts, { secret: true, about: 'Key that every request must send' }),
  SERVICE_ALLOW_OPEN: flag
    .default(false)
    .register(facts, { about: 'Allows a non-loopback address without an API key' }),
  SERVICE_DATA_DIR: text
    .transform((path) => resolve(path))
    .default(resolve('data'))
    .register(facts, { about: 'Folder of everything persistent' }),
  SERVICE_KVSTORE_URL: z
    .union([z.enum(['embedded', 'memory', 'none']), z.url({ protocol: /^rediss?$/, error: kvstoreError })], {
      error: kvstoreError,
    })
    .default('embedded')
    .register(facts, { secret: true, about: 'Where the log is kept' }),
  SERVICE_USER_ID: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, _ or -')
    .default('default')
    .register(facts, { about: 'User of requests that name none' }),
  SERVICE_TIMEZONE: text
    .refine((zone) => zone === 'system' || isZone(zone), 'must be an IANA time zone, or system')
    .default('system')
    .register(facts, {
      setting: 'timezone',
      about: 'Time zone of users who chose none; `system` is that of the machine',
    }),
  SERVICE_LOCALE: text
    .refine(isLocale, 'must be a locale, such as en-GB')
    .default('en')
    .register(facts, { setting: 'locale', about: 'Locale of users who chose none' }),
  CORS_ORIGIN: text
    .refine(
      areOrigins,
      'must be * or a comma-separated list of origins, each scheme://host or scheme://host:port',
    )
    .default('http://localhost:5173')
    .register(facts, {
      about: 'Origins of browsers that may call; * for all (only with a key), or a comma-separated list',
    }),
  SERVICE_TRUSTED_PROXIES: networks.default([]).register(facts, {
    about: 'Proxies whose X-Forwarded-For is trusted: addresses and networks',
  }),
  API_RATE_LIMIT: count
    .default(100)
    .register(facts, { setting: 'apiRateLimit', about: 'Requests a minute and address to /api' }),
  CHAT_RATE_LIMIT: count.default(20).register(facts, {
    setting: 'chatRateLimit',
    about:
      'Requests a minute and address to chat, tasks, credentials and executions of workflows, and calls of tools over MCP',
  }),
  SERVICE_V1_RATE_LIMIT: count
    .default(120)
    .register(facts, { setting: 'v1RateLimit', about: 'Requests a minute and address to /v1' }),
  SERVICE_V1_ANY_MODEL: flag.default(false).register(facts, {
    setting: 'v1AnyModel',
    about: 'Takes any name of a model at /v1 for hark: of clients whose models cannot be named',
  }),
  SERVICE_TLS_CERT: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'PEM file with the certificate of all listeners, and its chain' }),
  SERVICE_TLS_KEY: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'PEM file with the private key of the certificate' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(facts, { about: 'Lowest level of log lines' }),
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .register(facts, { about: 'production does not generate a credential salt' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional().register(facts, {
    about:
      'Collector of OpenTelemetry that traces and metrics are sent to, over OTLP and HTTP; without it nothing is',
  }),
  OTEL_SERVICE_NAME: text
    .default('hark')
    .register(facts, { about: 'Name under which the collector knows hark' }),
  OTEL_METRIC_EXPORT_INTERVAL: whole(1_000, 2 ** 31 - 1)
    .default(60_000)
    .register(facts, { about: 'Milliseconds between metrics that are sent' }),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: flag.default(false).register(facts, {
    about: 'Sends what is said, remembered and given to tools along with traces, as far as it is not erased',
  }),
  SERVICE_MDNS_ENABLED: flag
    .default(false)
    .register(facts, { about: 'Announces the service on the local network' }),
  SERVICE_NOTICE: z
    .string()
    .regex(/^[^\p{Cc}\u2028\u2029]{1,300}$/u, 'must be one line of 1 to 300 characters')
    .optional()
    .register(facts, {
      about: 'Shown wherever the service describes itself; the demo says with it that no real model answers',
    }),
  SERVICE_TEST_NOW: whole(0).optional().register(facts, {
    about: 'With NODE_ENV=test: the clock starts here and moves on request only, and answers are dated by it',
  }),
};
