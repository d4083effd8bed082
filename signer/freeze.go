package signer

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Freeze stops signatures at once, or with ModeExit all but those to the rescue addresses.
// It holds in this process even if the store does not take it, which is the error.
func (s *Signer) Freeze(ctx context.Context, who string, mode Mode, reason string) error {
	if mode != ModeFrozen && mode != ModeExit {
		return fmt.Errorf("signer: %q is no mode to freeze into", mode)
	}
	freeze := func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		return s.switchTo(ctx, tx, after, who, mode, reason)
	}
	s.freezes.Add(1)
	s.deciding.Lock()
	defer s.deciding.Unlock()
	err := s.broken
	if err == nil {
		err = s.commit(ctx, freeze)
	}
	if full := err; isFull(full) {
		err = errors.Join(s.release(), s.commit(ctx, freeze))
		_ = s.noted(full)
	}
	if err != nil {
		s.broken = errors.Join(s.broken, fmt.Errorf("signer: it is frozen, and the store did not take that: %w", err))
	}
	return err
}

// Thaw has the signer sign again, for all owners. It is a heartbeat too.
func (s *Signer) Thaw(ctx context.Context, who, reason string) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		if err := s.beaten(ctx, tx); err != nil {
			return after, err
		}
		return s.switchTo(ctx, tx, after, who, ModeOpen, reason)
	})
}

// Beat says that an admin is there: see Policy.Heartbeat.
func (s *Signer) Beat(ctx context.Context, who string) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Tx, after head) (head, error) {
		if err := s.beaten(ctx, tx); err != nil {
			return after, err
		}
		return s.append(ctx, tx, after, "beat", brief(who), struct{}{})
	})
}

// beaten keeps when an admin was there.
func (s *Signer) beaten(ctx context.Context, tx *sql.Tx) error {
	return setMeta(ctx, tx, "beat", walletfi.Now(s.clock).UTC().Format(time.RFC3339Nano))
}

// alive refuses if no admin has been there for the time of the heartbeat.
func (s *Signer) alive(ctx context.Context, q querier) error {
	last, err := getMeta(ctx, q, "beat")
	at, _ := time.Parse(time.RFC3339Nano, last)
	most := cmp.Or(s.inForce.Load().policy, s.Policy()).Heartbeat
	if err == nil && most > 0 && s.time().Sub(at) > time.Duration(most) {
		return waits(CodeFrozen, "no admin has been there since %s, the heartbeat is %v", last, most)
	}
	return err
}

// switchTo writes another mode.
func (s *Signer) switchTo(
	ctx context.Context, tx *sql.Tx, after head, who string, mode Mode, reason string,
) (head, error) {
	body := map[string]string{"mode": string(mode), "reason": brief(reason)}
	kind := "freeze"
	if mode == ModeOpen {
		kind = "thaw"
		thawed, err := frozenOwners(ctx, tx)
		if err != nil {
			return after, err
		}
		if len(thawed) > 0 {
			body["owners"] = strings.Join(thawed, " ")
		}
		if err := exec(ctx, tx, "DELETE FROM meta WHERE name LIKE ?", frozenOwner+"%"); err != nil {
			return after, err
		}
	}
	if err := setMeta(ctx, tx, "mode", string(mode)); err != nil {
		return after, err
	}
	return s.append(ctx, tx, after, kind, brief(who), body)
}

// frozenOwner and an owner's key is the name under which meta says why the owner is frozen.
const frozenOwner = "frozen:"

// frozenOwners lists the keys of owners that are frozen.
func frozenOwners(ctx context.Context, q querier) (all []string, err error) {
	err = rows(ctx, q, func(scan func(...any) error) error {
		var name string
		err := scan(&name)
		all = append(all, strings.TrimPrefix(name, frozenOwner))
		return err
	}, "SELECT name FROM meta WHERE name LIKE ?", frozenOwner+"%")
	return all, err
}

// mode reads what the signer still signs.
func mode(ctx context.Context, q querier) (Mode, error) {
	value, err := getMeta(ctx, q, "mode")
	if value == "" {
		return ModeOpen, err
	}
	return Mode(value), err
}

// none is the greatest amount that no ceiling allows.
const none = math.MaxInt64
