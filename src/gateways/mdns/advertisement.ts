/** What is told of the service on the local network, to anybody and with no proof. */
export interface Advertisement {
  readonly name: string;
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
  /** Names or addresses; all that there are, where it is left out. */
  readonly interfaces?: readonly string[];
}
