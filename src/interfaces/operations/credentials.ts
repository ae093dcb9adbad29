import type { AnyOperation } from '../operation.ts';
import type { CredentialDependencies } from './credentials/changes.ts';
import { removingOperations } from './credentials/removing.ts';
import { storingOperations } from './credentials/storing.ts';
import { tryingOperation } from './credentials/trying.ts';

export function credentialOperations(dependencies: CredentialDependencies): readonly AnyOperation[] {
  return [
    ...storingOperations(dependencies),
    ...removingOperations(dependencies),
    tryingOperation(dependencies),
  ];
}
