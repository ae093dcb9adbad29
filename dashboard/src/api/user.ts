const NAME = 'hark.user';

/** As whom this browser asks, where somebody chose it; else the service decides. */
export function chosenUser(): string | undefined {
  return localStorage.getItem(NAME) ?? undefined;
}

export function chooseUser(userId: string): void {
  if (userId === '') localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, userId);
}
