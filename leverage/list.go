package leverage

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/paging"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// listPage reads one page of a wallet's items, the list of that name.
func listPage[P any](
	ctx context.Context, c *Client, op, list string, path transport.Target,
	req interface {
		problem() error
		mismatch(page *P) error
	}, opts []walletfi.CallOption,
) (*P, error) {
	return transport.Do[P](ctx, c.made().t, transport.Call{
		Op: op, Effect: transport.Read, Method: http.MethodGet, Path: path,
		Answer: transport.Lists("*" + list),
		Echo:   transport.Echo(req.mismatch),
		Query:  req, Invalid: check.All(c.keyed(), req.problem()),
	}, opts)
}

// unfiltered adds to the error of a page those of its records that do not say the member which was
// asked for: whether they pass the filter is not known.
func unfiltered[T any](
	err error, list, member string, items []T, says func(T) (said bool, raw walletfi.Document),
) error {
	unread, ok := errors.AsType[*walletfi.UnreadError](err)
	switch {
	case err != nil && !ok:
		return err
	case err == nil:
		unread = &walletfi.UnreadError{}
		err = unread
	}
	all, before := unread.Records, len(unread.Records)
	for i, item := range items {
		said, raw := says(item)
		if said {
			continue
		}
		for _, r := range all[:before] {
			if !r.Kept && r.Index <= i {
				i++ // it is left out of the items
			}
		}
		problem := fmt.Errorf("%s was asked for, and is missing", member)
		all = append(all, &walletfi.RecordError{List: list, Index: i, Raw: raw, Err: problem, Kept: true})
	}
	if len(all) == 0 {
		return nil
	}
	unread.Records = slices.SortedStableFunc(slices.Values(all), func(a, b *walletfi.RecordError) int {
		return cmp.Compare(a.Index, b.Index)
	})
	return err
}

// untilEmpty iterates over the items of all pages from offset on. The service
// states no total, so it ends at an empty page.
func untilEmpty[T any](offset, limit *int, items func(offset, limit *int) ([]T, error)) iter.Seq2[T, error] {
	return paging.Offset(offset, limit, func(offset, limit *int) ([]T, int, error) {
		page, err := items(offset, limit)
		return page, paging.UnknownTotal, err
	})
}

func pageProblem(owner string, limit, offset *int) error {
	return check.All(
		check.Required("owner", owner),
		check.NotNegativeOf("limit", limit),
		check.NotNegativeOf("offset", offset),
	)
}

var errNoList = errors.New("leverage: the answer holds no list, or more than one")

// listIn reads the items of an answer whose envelope is not documented: an
// array, or an object that holds one. If no list can be found, that is an
// error, because an empty result would hide positions.
func listIn[T any](b []byte, raw *walletfi.Document, name string) ([]T, error) {
	*raw = slices.Clone(b)
	list, err := findList(b, name, maxEnvelopes)
	if err != nil {
		return nil, err
	}
	var items []T
	err = wire.DecodeList(list, &items)
	return items, err
}

// readList is listIn as a part of the pass, for an array, and for an object that holds
// it under the given name. raw gets the whole answer.
func readList[T any](s *wire.Scanner, items *[]T, raw *walletfi.Document, name string) error {
	from := s.Offset()
	if s.Peek() == '[' {
		err := wire.ReadRecords(s, items)
		*raw = s.Kept(from)
		return err
	}
	if s.Peek() != '{' {
		return errNoList
	}
	seen, found, twice, another := map[string]bool{}, false, false, false
	for more := s.Open('{'); more; more = s.Next('{') {
		member := s.Key()
		twice = twice || seen[member]
		seen[member] = true
		if member != name || s.Peek() != '[' || found {
			another = another || slices.Contains(usualLists, member)
			s.Skip()
			continue
		}
		found = true
		if err := wire.ReadRecords(s, items); err != nil {
			return err
		}
	}
	*raw = s.Kept(from)
	if found && !twice && !another {
		return nil
	}
	read, err := listIn[T](*raw, raw, name)
	*items = read
	return err
}

// usualLists are names under which services have their lists.
var usualLists = []string{"data", "items", "results"}

// maxEnvelopes is how many objects may enclose a list.
const maxEnvelopes = 3

// findList returns the array in b, or nil if the answer is empty.
func findList(b []byte, name string, depth int) (walletfi.Document, error) {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0:
		return nil, errNoList
	case b[0] == '[':
		return b, nil
	case b[0] != '{' || depth == 0:
		return nil, errNoList
	}
	object, err := wire.Members(b)
	if err != nil {
		return nil, err
	}
	names := append([]string{name}, usualLists...)
	list, ok := wire.ListOf(object, names...)
	if !ok {
		return nil, errNoList
	}
	for _, key := range names {
		if member, is := object[key]; is && (list == nil || member[0] == '{' && wire.IsEmptyList(list)) {
			return findList(member, name, depth-1)
		}
	}
	if list != nil {
		return list, nil
	}
	return soleList(object)
}

// soleList returns the only member that is an array.
func soleList(object map[string]walletfi.Document) (walletfi.Document, error) {
	var found walletfi.Document
	for _, member := range object {
		if len(member) > 0 && member[0] == '[' {
			if found != nil {
				return nil, errNoList
			}
			found = member
		}
	}
	if found == nil {
		return nil, errNoList
	}
	return found, nil
}
