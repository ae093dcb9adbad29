import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Program {
  readonly node: string;
  /** `bin/hark.js`. */
  readonly bin: string;
}

/** Written by whoever runs the service: a variable a line. Keys belong there, since a unit can be read by everybody. */
const SYSTEM_ENVIRONMENT = '/etc/hark/hark.env';

export function unitFile(forSystem: boolean): string {
  const config = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return forSystem ? '/etc/systemd/system/hark.service' : join(config, 'systemd/user/hark.service');
}

/** A unit of the machine has a user that exists while it runs, and sees nothing but itself and its data. */
export function systemUnit(program: Program): string {
  const seen = [dirname(program.node), dirname(dirname(program.bin))].filter(liesInAHome);
  return unit(program, [
    `EnvironmentFile=-${SYSTEM_ENVIRONMENT}`,
    'DynamicUser=yes',
    'PrivateUsers=yes',
    'PrivateDevices=yes',
    'PrivateTmp=yes',
    'ProtectSystem=strict',
    'ProtectHome=tmpfs',
    ...seen.map((folder) => `BindReadOnlyPaths=${quoted(folder)}`),
    'ProtectClock=yes',
    'ProtectControlGroups=yes',
    'ProtectHostname=yes',
    'ProtectKernelLogs=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelTunables=yes',
    'ProtectProc=invisible',
    'CapabilityBoundingSet=',
    'AmbientCapabilities=',
    'DevicePolicy=closed',
    'RemoveIPC=yes',
    'RestrictNamespaces=yes',
  ]).replace('WantedBy=default.target', 'WantedBy=multi-user.target');
}

/** Of one user, who cannot have all of it. */
export function userUnit(program: Program): string {
  return unit(program, ['EnvironmentFile=-%E/hark/hark.env']);
}

/** V8 writes code and runs it, so MemoryDenyWriteExecute stays off. */
function unit({ node, bin }: Program, more: readonly string[]): string {
  return `[Unit]
Description=hark, a self-hosted agent backend
Wants=network-online.target
After=network-online.target

[Service]
Type=exec
ExecStart=${quoted(node)} --v8-pool-size=0 --max-semi-space-size=16 ${quoted(bin)} start
WorkingDirectory=%S/hark
StateDirectory=hark
StateDirectoryMode=0700
CacheDirectory=hark
CacheDirectoryMode=0700
Environment=SERVICE_DATA_DIR=%S/hark NODE_COMPILE_CACHE=%C/hark
UMask=0077
Restart=on-failure
RestartSec=2
# A configuration that cannot be.
RestartPreventExitStatus=78
TimeoutStopSec=15
LimitNOFILE=65536
NoNewPrivileges=yes
KeyringMode=private
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
${more.join('\n')}

[Install]
WantedBy=default.target
`;
}

function liesInAHome(folder: string): boolean {
  return /^\/(home|root|run\/user)(\/|$)/.test(folder);
}

/** As systemd reads it: a percent sign would be a specifier, a dollar sign a variable. */
function quoted(path: string): string {
  const escaped = path
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$');
  return `"${escaped}"`;
}
