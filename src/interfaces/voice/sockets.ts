import { randomUUID } from 'node:crypto';
import type { WebSocketServer } from 'ws';
import type { VoiceRooms } from '../../application/voice/conversation.ts';
import { HarkError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { LiveDevices } from '../liveDevices.ts';
import { ID_PATTERN } from '../operation.ts';
import type { Handshake, Upgrades } from '../rest/upgrades.ts';
import type { Visit } from '../rest/visit.ts';
import type { CaptureParts } from './captured.ts';
import { Connection, MOST_MESSAGE_BYTES } from './connection.ts';
import type { Dialogue } from './dialogue.ts';
import { addressOf, chosenProtocol, headersOf } from './shown.ts';

/** Of one address, and of one user. */
const MOST_OF_ONE = 256;
const TRY_AGAIN_S = 10;
const CHECK_EVERY_MS = 20_000;
const STOP_WITHIN_MS = 1_000;
const GOING_AWAY = 1001;
const POLICY = 1008;

export interface VoiceSocketsOptions {
  /** Loaded with the first that comes, as all of this is. */
  readonly rooms: () => Promise<Pick<VoiceRooms, 'connect'>>;
  readonly capturing: CaptureParts;
  readonly liveDevices: LiveDevices;
  readonly log: Logger;
}

/** Most starts do without. */
interface Loaded {
  readonly rooms: Pick<VoiceRooms, 'connect'>;
  readonly server: WebSocketServer;
  readonly Dialogue: typeof Dialogue;
}

/** The WebSockets over which people speak with hark, on whichever port they come in. */
export class VoiceSockets implements Upgrades {
  readonly paths = ['/ws/audio', '/v1/realtime'];
  readonly headersOf = headersOf;
  readonly #options: VoiceSocketsOptions;
  readonly #connections = new Set<Connection>();
  readonly #counts = new Map<string, number>();
  #loading: Promise<Loaded> | undefined;
  #checking: NodeJS.Timeout | undefined;
  #allGone: (() => void) | undefined;
  #isStopping = false;

  constructor(options: VoiceSocketsOptions) {
    this.#options = options;
  }

  readonly open = async (handshake: Handshake): Promise<void> => {
    refuseMalformed(handshake);
    const leave = this.#enter(handshake.visit);
    try {
      this.#loading ??= this.#load().catch((error) => {
        this.#loading = undefined;
        throw error;
      });
      const loaded = await this.#loading;
      if (this.#isStopping) throw new HarkError('NOT_READY');
      this.#connect(handshake, loaded, leave);
    } catch (error) {
      leave();
      throw error;
    }
  };

  /** Says goodbye to everybody, and waits for a second at most until they have gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#checking);
    if (this.#connections.size === 0) return;
    const allGone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
    });
    for (const connection of this.#connections) connection.close(GOING_AWAY, 'The service stops');
    const force = setTimeout(() => {
      for (const connection of this.#connections) connection.terminate();
    }, STOP_WITHIN_MS);
    await allGone;
    clearTimeout(force);
  }

  async #load(): Promise<Loaded> {
    const [{ WebSocketServer }, { Dialogue }, rooms] = await Promise.all([
      import('ws'),
      import('./dialogue.ts'),
      this.#options.rooms(),
    ]);
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MOST_MESSAGE_BYTES,
      handleProtocols: (offered, request) => chosenProtocol(request, offered),
    });
    return { rooms, server, Dialogue };
  }

  #connect(
    { request, socket, head, visit }: Handshake,
    { rooms, server, Dialogue }: Loaded,
    leave: () => void,
  ): void {
    const { capturing, log } = this.#options;
    const { path, query } = addressOf(request);
    const sessionId = query.get('session') ?? undefined;
    if (sessionId !== undefined && !ID_PATTERN.test(sessionId)) throw new HarkError('SESSION_UNKNOWN');
    const { userId, correlationId, device } = visit;
    const caller = { userId, correlationId, deviceId: device?.deviceId };
    const dialogue = new Dialogue({
      wire: path === '/ws/audio' ? 'frames' : 'realtime',
      model: query.get('model')?.slice(0, 200) || 'hark',
      caller,
      capturing,
      log,
    });
    const taken = rooms.connect(caller, {
      connectionId: randomUUID(),
      sessionId,
      initial: dialogue.settings.initial,
      listener: dialogue.tell,
    });
    if (!taken) throw new HarkError('SESSION_UNKNOWN');
    let isOpen = false;
    server.handleUpgrade(request, socket, head, (webSocket) => {
      isOpen = true;
      visit.end(101);
      const over =
        device && this.#follow(device, () => connection.close(POLICY, 'This device may not speak'));
      const connection = new Connection(webSocket, socket, {
        text: (data) => dialogue.text(data),
        binary: (data) => dialogue.binary(data),
        left: (code) => {
          this.#connections.delete(connection);
          leave();
          over?.();
          dialogue.left(code);
          if (this.#connections.size === 0) this.#rest();
        },
      });
      this.#connections.add(connection);
      this.#checking ??= setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
      dialogue.begin(connection, taken);
    });
    if (isOpen) return;
    visit.end('closed');
    leave();
    taken.leave(sessionId === undefined);
  }

  #follow(device: NonNullable<Visit['device']>, end: () => void): () => void {
    return this.#options.liveDevices.add({ device, access: 'voice', end });
  }

  #check(): void {
    for (const connection of this.#connections) connection.check();
  }

  #rest(): void {
    clearInterval(this.#checking);
    this.#checking = undefined;
    this.#allGone?.();
  }

  /** Returns what is to be called, once, when it is over. */
  #enter({ client, userId }: Visit): () => void {
    const names = [`address ${client.limitedAs}`, `user ${userId}`];
    if (names.some((name) => (this.#counts.get(name) ?? 0) >= MOST_OF_ONE))
      throw new HarkError('TOO_MANY_REQUESTS', {
        message: `At most ${MOST_OF_ONE} of these connections are open at a time`,
        ...{ limit: MOST_OF_ONE, body: { retryAfter: TRY_AGAIN_S } },
      });
    for (const name of names) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const name of names) {
        const left = (this.#counts.get(name) ?? 1) - 1;
        if (left === 0) this.#counts.delete(name);
        else this.#counts.set(name, left);
      }
    };
  }
}

/** What is wrong with it is said in JSON, as all else is. */
function refuseMalformed({ request, visit }: Handshake): void {
  const { 'sec-websocket-key': key = '', 'sec-websocket-version': version } = request.headers;
  if (version !== '13') {
    visit.headers['sec-websocket-version'] = '13';
    throw new HarkError('UPGRADE_REQUIRED', { message: 'Sec-WebSocket-Version must be 13' });
  }
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key))
    throw new HarkError('BAD_REQUEST', { message: 'Sec-WebSocket-Key is missing or malformed' });
}
