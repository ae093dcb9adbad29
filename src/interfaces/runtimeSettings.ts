import { type Config, type SettingValue, settingAliases, settings } from '../config.ts';
import {
  type EffectiveSetting,
  effectiveSettings,
  runtimeValues,
} from '../projections/settings/runtimeValues.ts';
import type { OwnState } from './kvstore.ts';

type Values = Readonly<Record<string, SettingValue>>;
const NONE: Values = {};

/**
 * The settings as they count now. Drawn up once and kept until the projection shows other values; the view is
 * frozen, so that whoever has it may keep what he made of it. Without the store, those of the start.
 */
export class RuntimeSettings {
  readonly #config: Config;
  readonly #own: Pick<OwnState, 'current'>;
  #drawnFrom: Values | undefined;
  #all: Readonly<Record<string, EffectiveSetting>> = {};
  /** Holds `all`, and is exchanged together with it. */
  #view: { readonly settings: Readonly<Record<string, EffectiveSetting>> } = { settings: {} };

  constructor(config: Config, own: Pick<OwnState, 'current'>) {
    this.#config = config;
    this.#own = own;
  }

  view(): { readonly settings: Readonly<Record<string, EffectiveSetting>> } {
    this.#refresh();
    return this.#view;
  }

  value(key: string): SettingValue {
    this.#refresh();
    const setting = this.#all[key];
    if (!setting) throw new TypeError(`There is no setting ${key}`);
    return setting.value;
  }

  number(key: string): number {
    return Number(this.value(key));
  }

  keys(): readonly string[] {
    return [...settings.keys(), ...settingAliases.keys()];
  }

  #refresh(): void {
    const values = this.#own.current?.views.view(runtimeValues).values ?? NONE;
    if (values === this.#drawnFrom) return;
    this.#drawnFrom = values;
    this.#view = Object.freeze(this.viewOf({ values }));
    this.#all = Object.freeze(this.#view.settings);
  }

  /** The same where other values were changed at run time. */
  viewOf({ values }: { readonly values: Values }): { readonly settings: Record<string, EffectiveSetting> } {
    const all = effectiveSettings(this.#config, { values });
    for (const [alias, key] of settingAliases) if (all[key]) all[alias] = all[key];
    return { settings: all };
  }
}
