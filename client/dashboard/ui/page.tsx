import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { classNames } from '#client/dashboard/ui/class-names.ts';
import { Icon } from '#client/dashboard/ui/icon.tsx';
/*
 * Below: what Today and nearly every other screen use too. The build writes a file for each set of screens that share a
 * module. Without this list the first screen is 26 small files and not 9, and 3 kB larger.
 */
import '#client/dashboard/shell/found-address.ts';
import '#client/dashboard/shell/navigation.ts';
import '#client/dashboard/ui/badge.tsx';
import '#client/dashboard/ui/bars.tsx';
import '#client/dashboard/ui/choices.tsx';
import '#client/dashboard/ui/dialog.tsx';
import '#client/dashboard/ui/filters.tsx';
import '#client/dashboard/ui/menu.tsx';
import '#client/dashboard/ui/payment-words.ts';
import '#client/dashboard/ui/provider-name.ts';
import '#client/dashboard/ui/stat.tsx';
import '#client/dashboard/ui/states.tsx';
import '#client/dashboard/ui/table.tsx';
import '#client/dashboard/ui/tabs.tsx';
import '#client/dashboard/ui/time.tsx';
import '#client/dashboard/ui/toast.tsx';

export type Crumb = { readonly label: string; readonly href: string };

type PageProps = {
  readonly title: string;
  /** Instead of the title as text, such as an amount. */
  readonly heading?: ComponentChildren;
  /** Beside the title, such as a status. */
  readonly badge?: ComponentChildren;
  readonly subtitle?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly breadcrumbs?: readonly Crumb[];
  readonly children: ComponentChildren;
};

/** One screen: its title is the document's title and its only h1. */
export function Page({ title, heading, badge, subtitle, actions, breadcrumbs = [], children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Payfork`;
  }, [title]);
  return (
    <div class="page">
      <header class="page-header">
        <div class="page-titles">
          {breadcrumbs.length > 0 && <Breadcrumbs crumbs={breadcrumbs} />}
          <div class="page-title">
            <h1 tabIndex={-1}>{heading ?? title}</h1>
            {badge}
          </div>
          {subtitle !== undefined && <div class="page-subtitle">{subtitle}</div>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

const Breadcrumbs = ({ crumbs }: { readonly crumbs: readonly Crumb[] }) => (
  <nav class="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      {crumbs.map(({ label, href }) => (
        <li key={href}>
          <a href={href}>{label}</a>
          <Icon name="right" size={12} />
        </li>
      ))}
    </ol>
  </nav>
);

type SectionProps = {
  readonly title?: string;
  readonly description?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** With an edge around it: for what stands beside other sections. */
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
};

export function Section({ title, description, actions, isCard, children }: SectionProps) {
  return (
    <section class={classNames('section', isCard && 'card')}>
      {(title !== undefined || actions !== undefined) && (
        <div class="section-header">
          <div>
            {title !== undefined && <h2>{title}</h2>}
            {description !== undefined && <div class="section-description">{description}</div>}
          </div>
          {actions !== undefined && <div class="section-actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** Sections side by side where there is room. `side`: the second is narrower. */
export const Columns = ({ children, layout = 'equal' }: { children: ComponentChildren; layout?: 'equal' | 'side' }) => (
  <div class={`columns columns-${layout}`}>{children}</div>
);
