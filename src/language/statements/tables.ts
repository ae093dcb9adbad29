import type { Rule } from './rule.ts';
import { dayRules, planRules } from './tables/calendar.ts';
import { familyRules } from './tables/family.ts';
import { habitRules } from './tables/habits.ts';
import { healthRules } from './tables/health.ts';
import { homeRules } from './tables/home.ts';
import { personRules } from './tables/person.ts';
import { petRules } from './tables/pets.ts';
import { possessionRules } from './tables/possessions.ts';
import { preferenceRules } from './tables/preferences.ts';
import { studyRules } from './tables/study.ts';
import { workRules } from './tables/work.ts';

/** In this order: the first row that makes something of a clause is the only one. */
export const tables: Readonly<Record<string, readonly Rule[]>> = {
  days: dayRules,
  family: familyRules,
  pets: petRules,
  health: healthRules,
  preferences: preferenceRules,
  plans: planRules,
  home: homeRules,
  work: workRules,
  study: studyRules,
  possessions: possessionRules,
  person: personRules,
  habits: habitRules,
};
