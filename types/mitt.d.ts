/* mitt's own declarations say CommonJS where Node loads a module: under nodenext its default export has no type. */

declare module 'mitt' {
  interface Emitter<Events extends Record<string, unknown>> {
    on<Key extends keyof Events>(type: Key, handler: (event: Events[Key]) => void): void;
    off<Key extends keyof Events>(type: Key, handler: (event: Events[Key]) => void): void;
    emit<Key extends keyof Events>(type: Key, event: Events[Key]): void;
  }

  export default function mitt<Events extends Record<string, unknown>>(): Emitter<Events>;
}
