import { titleOf } from "@/components/panel/titles";
import { PANELS } from "@/lib/domain/panels";
import type { Role } from "@/lib/domain/roles";

/** The keys that are needed of these parts of the catalogue; their other keys are left out. */
export type Needed = Readonly<Record<string, readonly string[]>>;

/** Answers the menu entries and page titles that one role's panel shows, out of those of all panels. */
export function panelTexts(role: Role): Needed {
  const { menu, tiles } = PANELS[role];
  const titles = [...menu, ...tiles].flatMap(({ href }) => titleOf(role, href) ?? []);
  const shown = [...new Set([...titles, "account", "accountStatus", "notices"])];
  return {
    "panels.menu": menu.map(({ key }) => key),
    "panels.titles": shown,
    "panels.subtitles": shown,
  };
}
