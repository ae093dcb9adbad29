import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { Page } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { Approval } from './approval.tsx';
import { type Device, nameOf } from './changes.ts';
import { DeviceRow } from './deviceRow.tsx';
import '../../look/lists.css';
import './devices.css';
import { Pairing } from './pairing.tsx';
import { words } from './words.ts';

const LIMIT = 100;

/** Those that wait for an answer come first. */
export default function Devices() {
  const read = useResource('GET /api/devices', { limit: LIMIT, ...asItWas() }, ['device.*']);
  const [isPairing, setPairing] = useState(false);
  const [approving, setApproving] = useState<Device>();
  const isNow = moment.value === undefined;
  const devices = read.data.value?.devices ?? [];
  const waiting = devices.filter(({ status }) => status === 'pending');
  const others = devices.filter(({ status }) => status !== 'pending');
  const pair = (
    <button type="button" class="main" onClick={() => setPairing(true)}>
      {words.pair}
    </button>
  );
  return (
    <Page title={words.title} about={words.about} actions={isNow && devices.length > 0 ? pair : null}>
      <Reading of={read} />
      {read.data.value && devices.length === 0 ? (
        <Empty title={words.none}>
          <p>{words.noneNext}</p>
          {isNow ? pair : null}
        </Empty>
      ) : null}
      {devices.length > 0 ? (
        <Rows label={words.title} rows={[...waiting, ...others]} idOf={({ id }) => id} nameOf={nameOf}>
          {(device) => <DeviceRow device={device} isNow={isNow} onApprove={() => setApproving(device)} />}
        </Rows>
      ) : null}
      {isPairing ? <Pairing known={devices} onClose={() => setPairing(false)} /> : null}
      {approving ? <Approval device={approving} onClose={() => setApproving(undefined)} /> : null}
    </Page>
  );
}
