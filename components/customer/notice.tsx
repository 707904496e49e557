import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** A page that has one thing to say, and what to do next. */
export function CustomerNotice({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className="my-auto flex flex-col items-center gap-3 py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-primary-soft text-primary-strong">
        <Icon className="size-8" aria-hidden />
      </span>
      <h1 className="text-balance font-semibold text-2xl">{title}</h1>
      <div className="max-w-sm text-pretty text-muted-foreground">{children}</div>
      {action && <div className="mt-4 flex w-full flex-col gap-2">{action}</div>}
    </section>
  );
}
