package peer

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// OneLine keeps a peer's text from breaking a log line or filling a screen.
func OneLine(text string) string {
	const enough = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "") + "..."
	}
	return text
}

// After joins the end of a call with what had failed before it, in one line.
func After(end, before error) error {
	if before == nil {
		return end
	}
	return fmt.Errorf("%w; before that: %w", end, before)
}

// IsContext reports whether err is the end of a context.
func IsContext(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
