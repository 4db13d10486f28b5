import { Component, type ReactNode } from 'react';

interface BlockBoundaryProps {
  kind: string;
  children: ReactNode;
}

/** A block that cannot be drawn says so; the rest of the message stays. */
export class BlockBoundary extends Component<BlockBoundaryProps, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <div className="unknown" role="note">
        This <code>{this.props.kind}</code> block could not be drawn.
      </div>
    );
  }
}
