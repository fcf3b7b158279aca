// The policy as controls.

import { byId } from './svg.js';
import type { ReminderPolicy } from './replay.js';

const remind = () => byId<HTMLInputElement>('remind');
const after = () => byId<HTMLInputElement>('after');
const cooldown = () => byId<HTMLInputElement>('cooldown');
const once = () => byId<HTMLInputElement>('once');

/** What the controls say. */
export function policy(): ReminderPolicy {
  return {
    remind: remind().checked,
    remindAfter: after().valueAsNumber,
    remindCooldown: cooldown().valueAsNumber,
    remindOnce: once().checked,
  };
}

/** Calls `changed` now and whenever a control is moved. */
export function watchPolicy(changed: () => void): void {
  const form = byId<HTMLFormElement>('policy');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => update(changed));
  for (const preset of form.querySelectorAll<HTMLButtonElement>('.presets button')) {
    preset.addEventListener('click', () => {
      remind().checked = true;
      once().checked = false;
      after().value = preset.dataset['after'] ?? '';
      cooldown().value = preset.dataset['cooldown'] ?? '';
      update(changed);
    });
  }
  update(changed);
}

function update(changed: () => void): void {
  for (const output of byId('policy').querySelectorAll('output')) {
    output.value = byId<HTMLInputElement>(output.htmlFor.value).value;
  }
  after().disabled = !remind().checked;
  once().disabled = !remind().checked;
  cooldown().disabled = !remind().checked || once().checked;
  changed();
}
