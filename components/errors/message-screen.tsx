import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";

/** A full-screen message: icon, title, description and actions. */
export function MessageScreen({
  icon: Icon,
  title,
  description,
  actions,
  level = 1,
  className,
}: {
  icon: LucideIcon;
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  /** 2 within the shell, which has the h1. */
  level?: 1 | 2;
  className?: string;
}) {
  const Heading = `h${level}` as "h1";
  return (
    <div
      className={cn(
        "mx-auto flex min-h-[60dvh] w-full max-w-md flex-col items-center justify-center gap-2 px-4 py-10 text-center",
        className,
      )}
    >
      <span className="mb-3 inline-flex size-16 items-center justify-center rounded-full bg-primary-soft text-primary-strong">
        <Icon className="size-8" aria-hidden />
      </span>
      <Heading className="font-semibold text-2xl tracking-tight">{title}</Heading>
      {description && <p className="text-balance text-muted-foreground">{description}</p>}
      {actions && <div className="mt-5 flex w-full flex-col justify-center gap-2 sm:flex-row">{actions}</div>}
    </div>
  );
}
