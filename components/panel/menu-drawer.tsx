import { useTranslations } from "next-intl";
import { VisuallyHidden } from "radix-ui";
import { type ReactNode, useEffect, useState } from "react";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "@/components/ui/sheet";
import { Sidebar, type SidebarProps } from "./navigation";

/** The menu of narrow screens and of tills, open at first; `children` is its button. */
export function MenuDrawer({ children, ...sidebar }: SidebarProps & { children: ReactNode }) {
  const t = useTranslations("shell");
  const [open, setOpen] = useState(true);
  useCloseOnWideScreen(setOpen, sidebar.till === true);
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

/** Closes the drawer when the window becomes wide: an open one would block the page behind a hidden menu. Not on a till. */
function useCloseOnWideScreen(setOpen: (open: boolean) => void, till: boolean) {
  useEffect(() => {
    if (till) return;
    const wide = window.matchMedia("(min-width: 768px)");
    const close = () => wide.matches && setOpen(false);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, [setOpen, till]);
}
