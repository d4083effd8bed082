package echo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/calls"
)

// opposites are words of the documentation for another state of affairs, where the shapes
// list none.
var opposites = map[string]string{
	"active": "closed", "paused": "active", "LONG": "SHORT", "SHORT": "LONG", "monthly": "daily", "daily": "monthly",
	"buy": "sell", "sell": "buy", "1h": "1d", "7d": "30d", "SOLANA_MAINNET": "SOLANA_DEVNET", "true": "false", "false": "true",
}

const elsewhere = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"

// other is another value than an honest one, that could be true as well but for a bound.
func other(honest any, bound string, words []string) any {
	said := text(honest)
	if flag, ok := honest.(bool); ok {
		return !flag
	}
	if n, ok := new(big.Rat).SetString(said); ok {
		next := new(big.Rat).Add(n, big.NewRat(1, 1))
		if bound == "at least" {
			next = new(big.Rat)
		}
		digits := strings.TrimSuffix(next.FloatString(6), ".000000")
		if _, isNumber := honest.(json.Number); isNumber {
			return json.Number(digits)
		}
		return digits
	}
	if at, err := time.Parse(time.RFC3339, said); err == nil {
		return at.Add(48 * time.Hour).Format(time.RFC3339)
	}
	if at, err := time.Parse(time.DateOnly, said); err == nil {
		return at.Add(48 * time.Hour).Format(time.DateOnly)
	}
	for _, word := range words {
		if word != said && !strings.EqualFold(word, "all") {
			return word
		}
	}
	switch word, ok := opposites[said]; {
	case ok:
		return word
	case strings.HasPrefix(said, "https://"):
		return "https://elsewhere.example/"
	case len(said) > 80:
		return strings.Repeat("2", 63) + strings.Repeat("3", 24)
	case len(said) > 31 && !strings.ContainsAny(said, "-_ "):
		return elsewhere
	}
	return said + "x"
}

// held is a pair that the table holds, with the answers in which it was flipped.
type held struct {
	pair
	row      *row
	flipped  int
	accepted []string // what each call that took another value ended with
}

// flip gives the member of each record of each answer another value, one at a time. An answer
// without the member gets it, if absent: with the value that was asked for it is still one.
func (h *held) flip(ctx context.Context, c call, r *calls.Row, absent bool) {
	x := r.Exchanges[0]
	values := c.values(x)[h.asked]
	implied, isImplied := strings.CutPrefix(h.asked, "=")
	if isImplied {
		values = []string{implied}
	}
	if len(values) == 0 || !strings.ContainsAny(x.Body, "{[") {
		return
	}
	said := map[string]any{}
	for _, l := range leaves(decoded(x.Body)) {
		said[fmt.Sprint(l.steps)] = l.value
	}
	for _, steps := range ends(places(decoded(x.Body), h.answered)) {
		honest, has := said[fmt.Sprint(steps)]
		body := x.Body
		switch {
		case has == absent || has && honest == nil:
			continue
		case absent:
			honest = asJSON(values[0])
			body = with(body, steps, honest)
		case !isImplied && h.bound() == "" && !isAmong(values, text(honest)):
			continue // the request names a default, or another form
		}
		if _, err := r.Answered(ctx, body); err != nil {
			h.accepted = append(h.accepted, fmt.Sprintf("with what was asked for, %v: %v", honest, err))
			continue
		}
		another := other(honest, h.bound(), c.words(h.asked, h.answered))
		h.flipped++
		got, err := r.Answered(ctx, with(body, steps, another))
		if problem := problemOf(c, h.answered, text(another), got, err); problem != "" {
			h.accepted = append(h.accepted, fmt.Sprintf("%v for %v at %v: %s", another, honest, steps, problem))
		}
	}
}

func (h *held) bound() string {
	_, bound, _ := strings.Cut(h.row.reason, ", ")
	return bound
}

// ends are the first and the last places.
func ends(all [][]any) [][]any {
	if len(all) > 2 {
		return [][]any{all[0], all[len(all)-1]}
	}
	return all
}

// asJSON is a value of a query as a body has it.
func asJSON(value string) any {
	if json.Valid([]byte(value)) {
		return decoded(value)
	}
	return value
}

func isAmong(values []string, said string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(v, said) || sameTime(v, said) })
}

func sameTime(a, b string) bool {
	at, err := time.Parse(time.RFC3339, a)
	other, err2 := time.Parse(time.RFC3339, b)
	return err == nil && err2 == nil && at.Equal(other)
}

// problemOf says why a call that was answered with another value did not end as it should:
// with an error that names the member, what was asked for and what came, and after a
// creation with what was made.
func problemOf(c call, member, said string, got any, err error) string {
	mismatch, ok := errors.AsType[*walletfi.MismatchError](err)
	switch {
	case !errors.Is(err, walletfi.ErrMismatch) || !ok:
		return fmt.Sprint("taken: ", err)
	case !names(mismatch.Field, member):
		return "the error does not name it: " + mismatch.Error()
	case mismatch.Asked == "" || !strings.Contains(mismatch.Answered, said):
		return "the error does not have both values: " + mismatch.Error()
	case isNew(c) && !hasID(got):
		return "what was created is lost"
	}
	return ""
}

// names reports whether the error's field names a member of a path, such as the step of a
// route, of which both mints are in the error.
func names(field, path string) bool {
	for member := range strings.SplitSeq(path, ".") {
		if strings.Contains(strings.ToLower(strings.ReplaceAll(field, "_", "")), folded(member)) {
			return true
		}
	}
	return false
}

func hasID(got any) bool {
	v := reflect.ValueOf(got)
	return v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().FieldByName("ID").String() != ""
}
