import { InboxIcon, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./utils";

type EmptyProps = {
  icon?: LucideIcon;
  title: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  className?: string;
};

/** Shown instead of an empty list: what is missing, and what to do next. */
export function EmptyState({ icon: Icon = InboxIcon, title, description, action, className }: EmptyProps) {
  return (
    <div
      data-slot="empty"
      className={cn("flex flex-col items-center gap-1 px-6 base:py-12 text-center", className)}
    >
      <span className="mb-3 inline-flex size-12 items-center justify-center rounded-full bg-muted text-muted-foreground">
        <Icon className="size-6" aria-hidden />
      </span>
      <p className="font-semibold">{title}</p>
      {description && <p className="max-w-sm text-balance text-muted-foreground text-sm">{description}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
