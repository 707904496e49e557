import { MonitorIcon, MoonIcon, SunIcon } from "lucide-react";

/** The themes with their icons; the labels are at `theme.<key>`. */
export const THEMES = { light: SunIcon, dark: MoonIcon, system: MonitorIcon } as const;
