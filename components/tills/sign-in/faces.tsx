"use client";

import { useTranslations } from "next-intl";
import { Avatar, AvatarFallback, initials } from "@/components/ui/avatar";

export type Face = { id: string; name: string; hasPin: boolean };

/** The employees of the till's branch, to tap. */
export function Faces({ faces, onChoose }: { faces: readonly Face[]; onChoose: (face: Face) => void }) {
  const t = useTranslations("atTill");
  if (faces.length === 0) return <p className="py-6 text-center text-muted-foreground">{t("noWorkers")}</p>;
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {faces.map((face) => (
        <li key={face.id} className="min-w-0">
          <button
            type="button"
            onClick={() => onChoose(face)}
            className="flex h-full w-full flex-col items-center gap-2 rounded-xl border bg-card p-4 text-center transition-colors hover:border-primary hover:bg-accent"
          >
            <Avatar className="size-14 text-lg">
              <AvatarFallback>{initials(face.name)}</AvatarFallback>
            </Avatar>
            <bdi className="line-clamp-3 wrap-anywhere font-medium leading-tight">{face.name}</bdi>
            {!face.hasPin && <span className="text-muted-foreground text-xs">{t("noPin")}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
