"use client";

import { SearchIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { useLoaded } from "@/components/ui/use-loaded";
import type { Role } from "@/lib/domain/roles";

const loadPalette = () => import("./palette");

/** Opens the search over the panel, also by Ctrl+K or ⌘K. Its code is loaded then. */
export function PaletteButton({ role }: { role: Role }) {
  const t = useTranslations("palette");
  const { part, want, warm } = useLoaded(loadPalette);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      want();
      setOpen((was) => !was);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [want]);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="shrink-0"
        aria-label={t("open")}
        title={`${t("open")} (Ctrl+K)`}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          want();
          setOpen(true);
        }}
        onPointerEnter={warm}
        onFocus={warm}
      >
        <SearchIcon className="size-5" aria-hidden />
      </Button>
      {part && <part.Palette role={role} open={open} onOpenChange={setOpen} />}
    </>
  );
}
