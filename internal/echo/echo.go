// Package echo holds an answer against the request that asked for it. Each
// function compares one member of an answer with what was asked for and returns
// nil or a [*walletfi.MismatchError]:
//
//	return echo.All(
//		echo.Mint("inputMint", r.InputMint, q.InputMint),
//		echo.Amount("inAmount", r.Amount, q.InAmount),
//	)
//
// A member that the answer leaves out contradicts nothing, nor does any answer
// to what was not asked.
package echo

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/walletfi/walletfi-go"
)

// All returns the contradictions, joined, or nil.
func All(mismatches ...error) error {
	found := slices.DeleteFunc(mismatches, func(err error) bool { return err == nil })
	if len(found) == 1 {
		return found[0]
	}
	return errors.Join(found...)
}

// That reports a contradiction unless ok. It is for comparisons that have no
// function of their own.
func That(ok bool, field string, asked, answered any) error {
	if ok {
		return nil
	}
	return &walletfi.MismatchError{Field: field, Asked: fmt.Sprint(asked), Answered: fmt.Sprint(answered)}
}

// Text compares ids, addresses of a ledger that is strict about case, and words
// of a closed set.
func Text[S ~string](field string, asked, answered S) error {
	if asked == "" || answered == "" || asked == answered {
		return nil // before anything is allocated
	}
	return That(false, field, asked, answered)
}

// Word compares words of a documented set, in any case. A word that is not in the set may
// be a new name of what was asked for.
func Word[S ~string](field string, asked, answered S, set ...S) error {
	known := slices.ContainsFunc(set, func(word S) bool { return strings.EqualFold(string(word), string(answered)) })
	if !known {
		return nil
	}
	return Name(field, asked, answered)
}

// Name compares names that a service may write in another case, such as tickers
// and user names.
func Name[S ~string](field string, asked, answered S) error {
	same := asked == "" || answered == "" || strings.EqualFold(string(asked), string(answered))
	return That(same, field, asked, answered)
}

// Has reports a record that does not have the member by which it was asked for: nothing says
// that it is one of those.
func Has[S ~string](field string, asked, answered S) error {
	return That(asked == "" || answered != "", field, asked, answered)
}

// NoMore compares the number of records with the limit that was asked for. One of 0 may stand
// for the service's own.
func NoMore(field string, limit *int, records int) error {
	if limit == nil || *limit == 0 || records <= *limit {
		return nil
	}
	return That(false, field, fmt.Sprintf("at most %d", *limit), records)
}

// Slug compares names of which one may be a title and the other its slug: letters and
// digits count.
func Slug[S ~string](field string, asked, answered S) error {
	return That(asked == "" || answered == "" || slug(string(asked)) == slug(string(answered)), field, asked, answered)
}

func slug(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Address compares addresses of any ledger. The case of plain hex has no
// meaning: it can be a checksum.
func Address[S ~string](field string, asked, answered S) error {
	if isHex(string(asked)) && isHex(string(answered)) {
		return Name(field, asked, answered)
	}
	return Text(field, asked, answered)
}

func isHex(text string) bool {
	digits, prefixed := strings.CutPrefix(text, "0x")
	return prefixed && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

// Mint compares the mints of tokens. SOL has several.
func Mint(field, asked, answered string) error {
	return That(asked == "" || answered == "" || plainMint(asked) == plainMint(answered), field, asked, answered)
}

// solMints are the mints under which services name SOL, besides
// [walletfi.NativeMint].
var solMints = []string{
	"11111111111111111111111111111111",             // the address of the system program
	"So11111111111111111111111111111111111111111",  // unwrapped SOL of some aggregators
	"9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP", // Token-2022's wrapped SOL
}

// plainMint returns the same mint for all mints of SOL.
func plainMint(mint string) string {
	if slices.Contains(solMints, mint) {
		return walletfi.NativeMint
	}
	return mint
}

// Amount compares an amount that the answer must state with an exact one.
func Amount(field string, asked, answered walletfi.Amount) error {
	return That(asked == answered, field, asked, answered)
}

// Stated is Amount for a member that an answer may leave out, which shows as 0.
func Stated[N ~int | ~uint64](field string, asked, answered N) error {
	return That(answered == 0 || asked == answered, field, asked, answered)
}

// Each compares every item of a list and returns the first contradiction.
func Each[T any](items []T, mismatch func(item T) error) error {
	for _, item := range items {
		if err := mismatch(item); err != nil {
			return err
		}
	}
	return nil
}

// StatedOf is [Amount] for what the request and the answer may leave out.
func StatedOf[N ~int | ~uint64](field string, asked, answered *N) error {
	if asked == nil || answered == nil {
		return nil
	}
	return That(*asked == *answered, field, *asked, *answered)
}

// Among compares an item of an answer with a list that was asked for.
func Among(field string, asked []string, answered string) error {
	ok := slices.ContainsFunc(asked, func(a string) bool { return strings.EqualFold(a, answered) })
	return That(ok || answered == "", field, strings.Join(asked, ", "), answered)
}

// AmongKeys is [Among] for addresses, compared as [Text] compares them.
func AmongKeys(field string, asked []string, answered string) error {
	return That(answered == "" || slices.Contains(asked, answered), field, strings.Join(asked, ", "), answered)
}

// AtMost compares the length of a page with what was asked for: a service may answer less.
func AtMost[N ~int | ~uint64](field string, asked, answered *N) error {
	if asked == nil || answered == nil || *answered <= *asked {
		return nil
	}
	return That(false, field, *asked, *answered)
}

// Within compares the time of a record with the period that was asked for, to the second:
// a service may be sent no more, and answer no more. A zero bound is open.
func Within(field string, start, end time.Time, at walletfi.Time) error {
	if at.IsZero() || start.IsZero() && end.IsZero() {
		return nil
	}
	second := at.Time.Truncate(time.Second)
	if !start.IsZero() && second.Before(start.Truncate(time.Second)) {
		return That(false, field, "from "+start.UTC().Format(time.RFC3339Nano), at)
	}
	return That(end.IsZero() || !second.After(end), field, "until "+end.UTC().Format(time.RFC3339Nano), at)
}
