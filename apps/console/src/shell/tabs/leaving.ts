let onPurpose = false

/** The page is about to go for a reason the person cannot refuse, or has agreed to: unsaved input no longer asks. */
export function leaveOnPurpose(): void {
  onPurpose = true
}

export const isLeavingOnPurpose = (): boolean => onPurpose
