import type { ComponentProps, ComponentType, ReactNode } from "react";
import { cn } from "./utils";

const VARIANTS = {
  default: "bg-card text-card-foreground",
  info: "border-primary/25 bg-primary-soft text-primary-strong",
  success: "border-success/30 bg-success-soft text-success-strong",
  warning: "border-warning/50 bg-warning-soft text-warning-strong",
  destructive: "border-destructive/35 bg-destructive-soft text-destructive-strong",
};

/** A message in a box. `textClass` is of the box around `children`. */
export function Alert({
  className,
  variant = "default",
  icon: Icon,
  title,
  textClass,
  children,
  ...props
}: Omit<ComponentProps<"div">, "title"> & {
  variant?: keyof typeof VARIANTS;
  icon?: ComponentType<{ "aria-hidden": true }>;
  title?: ReactNode;
  textClass?: string;
}) {
  return (
    <div
      data-slot="alert"
      role="alert"
      className={cn(
        "relative grid w-full grid-cols-[0_1fr] content-start base:items-start gap-y-0.5 rounded-lg border base:px-4 base:py-3 text-sm has-[>svg]:grid-cols-[--spacing(4)_1fr] has-[>svg]:gap-x-3 [&>svg]:size-4 [&>svg]:translate-y-0.5",
        VARIANTS[variant],
        className,
      )}
      {...props}
    >
      {Icon && <Icon aria-hidden />}
      {title && (
        <p data-slot="alert-title" className="col-start-2 font-medium">
          {title}
        </p>
      )}
      <div
        data-slot="alert-description"
        className={cn("col-start-2 base:grid justify-items-start base:gap-1 text-pretty", textClass)}
      >
        {children}
      </div>
    </div>
  );
}
