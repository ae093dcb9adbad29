import { HarkError } from '../errors.ts';

/** Who a device is, as it has proved. All of it is the service's word, and nothing what the device says of itself. */
export interface DeviceScope {
  readonly deviceId: string;
  /** For whom it asks, and for nobody else. */
  readonly userId: string;
  readonly trustLevel: number;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

/** What a device may at this moment; undefined for one that may nothing: revoked, deleted, or linked to nobody. */
export type ScopeOf = (deviceId: string) => DeviceScope | undefined;

/**
 * What a device may of an operation or a tool. Each says so where it is declared, and `mayDevice` is the only place
 * that decides by it, whatever carries the request.
 *
 * - `proof`: how it comes to its proof, which nobody who asks for it has yet
 * - `always`: with its proof
 * - `own`: of its own record, whose id is in the path
 * - `voice`: with something to hear or to speak with
 * - `capture`: of its own streams alone, which the operation has to see to
 * - `trust2`, `trust3`: from that trust level on
 * - `inChat`: in a turn of chat always, elsewhere from trust level 3 on
 * - `never`: whatever its trust
 */
export type DeviceAccess =
  | 'proof'
  | 'always'
  | 'own'
  | 'voice'
  | 'capture'
  | 'trust2'
  | 'trust3'
  | 'inChat'
  | 'never';

interface Asked {
  /** Of the record that the path names. */
  readonly recordId?: string | undefined;
  /** A turn of chat calls a tool. */
  readonly inChat?: boolean;
}

export function mayDevice(device: DeviceScope, access: DeviceAccess, asked: Asked = {}): boolean {
  const { deviceId, trustLevel, capabilities } = device;
  switch (access) {
    case 'proof':
    case 'always':
    case 'capture':
      return true;
    case 'own':
      return asked.recordId === deviceId;
    case 'voice':
      return ['audio', 'microphone', 'speaker'].some((capability) => capabilities[capability] === true);
    case 'trust2':
      return trustLevel >= 2;
    case 'trust3':
      return trustLevel >= 3;
    case 'inChat':
      return asked.inChat === true || trustLevel >= 3;
    case 'never':
      return false;
  }
}

/** The same for whatever a device may not do. */
export function outOfScope(message = 'This device may not do that'): HarkError {
  return new HarkError('DEVICE_SCOPE', { message });
}
