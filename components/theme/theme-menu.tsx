"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { Theme } from "@/lib/domain/theme";
import { THEMES, useTheme } from "./themes";

/** The menu of the themes, open at first; `children` is its button. */
export function ThemeMenu({ children }: { children: ReactNode }) {
  const t = useTranslations("theme");
  const { theme, setTheme } = useTheme();
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuRadioGroup
          value={theme ?? "system"}
          onValueChange={(chosen) => setTheme(chosen as Theme)}
        >
          {Object.entries(THEMES).map(([key, Icon]) => (
            <DropdownMenuRadioItem key={key} value={key}>
              <Icon aria-hidden /> {t(key)}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
