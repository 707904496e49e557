"use client";

import { useTranslations } from "next-intl";
import { VisuallyHidden } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/components/ui/sheet";
import { Sidebar, type SidebarProps } from "./navigation";

/** The menu of narrow screens and of tills, open at first; `children` is its button. */
export function MenuDrawer({ children, ...sidebar }: SidebarProps & { children: ReactNode }) {
  const t = useTranslations("shell");
  const [open, setOpen] = useState(true);
  // An open drawer would block the page behind a menu that a wide window hides. A till has it in every width.
  useEffect(() => {
    if (sidebar.till) return;
    const wide = window.matchMedia("(min-width: 768px)");
    const close = () => wide.matches && setOpen(false);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, [sidebar.till]);
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>{children}</SheetTrigger>
      <SheetContent side="start" className="gap-0" aria-describedby={undefined}>
        <VisuallyHidden.Root>
          <SheetTitle>{t("menu")}</SheetTitle>
        </VisuallyHidden.Root>
        <Sidebar {...sidebar} onNavigate={() => setOpen(false)} />
      </SheetContent>
    </Sheet>
  );
}
