//go:build !unix

package turns

import "time"

// CPU is real time: this system does not tell the processor's.
func CPU() time.Duration { return Wall() }
