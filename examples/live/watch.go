package main

import (
	"context"
	"log/slog"

	"github.com/walletfi/walletfi-go/observe"
)

// watch logs what a person has to know on the first days, each kind under a message of
// its own, so that an alert can count it.
type watch struct {
	observe.None

	log *slog.Logger
}

// Start logs how an operation ends.
func (w watch) Start(ctx context.Context, op observe.Operation) (context.Context, func(observe.End)) {
	return ctx, func(end observe.End) {
		switch end := end.(type) {
		case observe.CallEnd:
			if end.Err != nil && ctx.Err() == nil {
				w.log.Warn("call failed", "call", op, "attempts", end.Attempts, "error", end.Err)
			}
		case observe.GuardEnd:
			if end.Rule != "" {
				w.log.Error("guard refused", "rule", end.Rule, "error", end.Err)
			}
		case observe.SubmitEnd:
			w.log.Info("sent", "submit", op, "error", end.Err)
		case observe.ConfirmEnd:
			w.log.Info("ended", "state", end.State, "after", end.SinceSigned, "error", end.Err)
		}
	}
}

// Observe logs what happens at an instant.
func (w watch) Observe(_ context.Context, event observe.Event) {
	switch e := event.(type) {
	case observe.Unsettled:
		if e.Keys > 0 {
			w.log.Error("unsettled", "keys", e.Keys)
		}
	case observe.Drift:
		w.log.Warn("drift", "op", e.Op, "member", e.Member, "value", e.Value, "fault", e.Fault)
	}
}
