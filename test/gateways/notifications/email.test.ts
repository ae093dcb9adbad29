import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, it } from 'vitest';
import { sendByEmail } from '../../../src/gateways/notifications/email.ts';
import { heldPort } from '../../support/heldPort.ts';
import { Witness } from '../../support/sagas.ts';

const { signal } = new AbortController();
const message = { id: 'n1', title: 'Mum', text: 'Call mum ☕', at: 1_700_000_000_000 };
const sending = { message, secret: null, allowPrivate: true, version: '1', signal };

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
}

/** A server of mail, and what it took. */
async function withServer(
  options: SMTPServerOptions,
  work: (port: number, mails: readonly Mail[]) => Promise<void>,
): Promise<void> {
  const mails = new Witness<Mail>();
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    async onData(stream, { envelope }, done) {
      const source = await text(stream);
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      mails.add({ from, to: envelope.rcptTo.map(({ address }) => address), source });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  try {
    await work(Object(listening.address()).port, mails.items);
  } finally {
    await new Promise<void>((resolve) => server.close(resolve));
  }
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error('no'), { responseCode });
}

describe('a mail', () => {
  const target = (port: number, rest: object = {}) => {
    const usual = { host: '127.0.0.1', port, secure: false, from: 'hark@example.com', to: 'ann@example.com' };
    return { ...usual, ...rest };
  };

  it('arrives, with a password where the server wants one', () =>
    withServer(
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth({ username, password }, _session, done) {
          if (username === 'ann' && password === 'secret') done(null, { user: username });
          else done(refusal(535));
        },
      },
      async (port, mails) => {
        const sent = (secret: string) => sendByEmail(target(port, { user: 'ann' }), { ...sending, secret });
        assert.equal(await sent('secret'), 'delivered');
        assert.deepEqual(await sent('wrong'), { failed: 'SMTP_535', isFinal: true });
        const [mail] = mails;
        assert.deepEqual([mail?.from, mail?.to], ['hark@example.com', ['ann@example.com']]);
        assert.match(mail?.source ?? '', /^Subject: Mum\r$/m);
        assert.match(mail?.source ?? '', /^Message-ID: <n1@hark\.invalid>\r$/im);
      },
    ));

  it('has no header but its own, whatever its title says', () =>
    withServer({}, async (port, mails) => {
      const title = 'Tea\r\nBcc: eve@example.com\r\n\r\nBuy this\u2028now';
      assert.equal(
        await sendByEmail(target(port), { ...sending, message: { ...message, title } }),
        'delivered',
      );
      const [mail] = mails;
      assert.deepEqual(mail?.to, ['ann@example.com']);
      assert.doesNotMatch(mail?.source ?? '', /^Bcc:/im);
      assert.match(mail?.source ?? '', /^Subject: Tea Bcc: eve@example.com Buy this now\r$/m);
    }));

  for (const [what, code, isFinal] of [
    ['that is refused for good is not sent again', 550, true],
    ['that is refused for now is', 451, false],
  ] as const)
    it(what, () =>
      withServer({ onRcptTo: (_address, _session, done) => done(refusal(code)) }, async (port) => {
        assert.deepEqual(await sendByEmail(target(port), sending), { failed: `SMTP_${code}`, isFinal });
      }),
    );

  it('goes to no server whose certificate is not of its name', () =>
    withServer({ secure: true }, async (port) => {
      const sent = await sendByEmail(target(port, { secure: true, host: 'localhost' }), sending);
      assert.deepEqual(sent, { failed: 'TLS_FAILED', isFinal: false });
    }));

  it('goes nowhere inward, where that is not allowed, and to no address for metadata at all', async () => {
    const forbidden = { failed: 'TARGET_FORBIDDEN', isFinal: true };
    assert.deepEqual(await sendByEmail(target(25), { ...sending, allowPrivate: false }), forbidden);
    assert.deepEqual(await sendByEmail(target(25, { host: '169.254.169.254' }), sending), forbidden);
  });

  it('that nobody waits for any more is broken off', async () => {
    const asked = new Witness<true>();
    const silent = createServer((socket) => {
      socket.on('error', () => {});
      asked.add(true);
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const end = new AbortController();
    const sent = sendByEmail(target(Object(silent.address()).port), { ...sending, signal: end.signal });
    await asked.count(1);
    end.abort();
    assert.deepEqual(await sent, { failed: 'TIMEOUT', isFinal: false });
    silent.close();
  });

  it('that no server is there for is tried again', async () => {
    assert.deepEqual(await sendByEmail(target(await heldPort()), sending), {
      failed: 'UNREACHABLE',
      isFinal: false,
    });
  });
});
