package paging

import (
	"errors"
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

var errPage = errors.New("page failed")

// collect ranges over all of seq and requires that an error comes last.
func collect[T any](t *testing.T, seq iter.Seq2[T, error]) ([]T, error) {
	t.Helper()
	var got []T
	var failure error
	for item, err := range seq {
		require.NoError(t, failure, "an element after the error")
		if failure = err; err == nil {
			got = append(got, item)
		}
	}
	return got, failure
}

// numbered returns a list of n records with at most most records per page.
func numbered(n, most int) func(offset, limit int) []int {
	return func(offset, limit int) []int {
		if limit == 0 || limit > most {
			limit = most
		}
		page := []int{}
		for i := offset; i < min(offset+limit, n); i++ {
			page = append(page, i)
		}
		return page
	}
}

func count(from, to int) []int {
	var list []int
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

func TestOffset(t *testing.T) {
	for name, test := range map[string]struct {
		records, most   int // the number of records, and of those on a page
		start, limit    int
		total, failAt   int // total as the service says it; offset that fails, -1 for none
		want, wantAsked []int
	}{
		"ends at the total":               {records: 5, most: 50, limit: 2, total: 5, failAt: -1, want: count(0, 5), wantAsked: []int{0, 2, 4}},
		"no request after a whole total":  {records: 4, most: 50, limit: 2, total: 4, failAt: -1, want: count(0, 4), wantAsked: []int{0, 2}},
		"total 0":                         {records: 0, most: 50, limit: 2, total: 0, failAt: -1, want: nil, wantAsked: []int{0}},
		"without total on an empty page":  {records: 5, most: 50, limit: 2, total: UnknownTotal, failAt: -1, want: count(0, 5), wantAsked: []int{0, 2, 4, 5}},
		"records and a total of 0":        {records: 3, most: 50, limit: 2, total: 0, failAt: -1, want: count(0, 3), wantAsked: []int{0, 2, 3}},
		"a total that is too high":        {records: 3, most: 50, limit: 2, total: 9, failAt: -1, want: count(0, 3), wantAsked: []int{0, 2, 3}},
		"service gives less than limit":   {records: 5, most: 2, limit: 4, total: 5, failAt: -1, want: count(0, 5), wantAsked: []int{0, 2, 4}},
		"limit 0 is the service's":        {records: 5, most: 3, limit: 0, total: 5, failAt: -1, want: count(0, 5), wantAsked: []int{0, 3}},
		"from the middle":                 {records: 5, most: 50, start: 3, limit: 1, total: 5, failAt: -1, want: []int{3, 4}, wantAsked: []int{3, 4}},
		"start beyond the total":          {records: 5, most: 50, start: 7, limit: 1, total: 5, failAt: -1, want: nil, wantAsked: []int{7}},
		"ends at the first error":         {records: 9, most: 50, limit: 2, total: 9, failAt: 4, want: count(0, 4), wantAsked: []int{0, 2, 4}},
		"an error in the very first page": {records: 9, most: 50, limit: 2, total: 9, failAt: 0, want: nil, wantAsked: []int{0}},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []int
			list := numbered(test.records, test.most)
			seq := Offset(&test.start, &test.limit, func(from, most *int) ([]int, int, error) {
				require.NotNil(t, from)
				require.NotNil(t, most)
				offset, limit := *from, *most
				asked = append(asked, offset)
				assert.Equal(t, test.limit, limit)
				if offset == test.failAt {
					return nil, 0, errPage
				}
				return list(offset, limit), test.total, nil
			})
			for range 2 { // each range begins again
				asked = nil
				got, err := collect(t, seq)
				assert.Equal(t, test.want, got)
				assert.Equal(t, test.wantAsked, asked)
				if test.failAt >= 0 {
					assert.ErrorIs(t, err, errPage)
				} else {
					assert.NoError(t, err)
				}
			}
		})
	}
}

func TestOffsetStatesOnlyWhatTheCallerSet(t *testing.T) {
	for name, start := range map[string]*int{"no offset": nil, "an offset of 0": new(0)} {
		t.Run(name, func(t *testing.T) {
			var asked []*int
			got, err := collect(t, Offset(start, nil, func(offset, limit *int) ([]int, int, error) {
				assert.Nil(t, limit)
				asked = append(asked, offset)
				return []int{len(asked)}, 2, nil
			}))
			require.NoError(t, err)
			assert.Equal(t, []int{1, 2}, got)
			assert.Equal(t, []*int{start, new(1)}, asked)
		})
	}
}

func TestOffsetObeysTheLatestTotal(t *testing.T) {
	records := 4
	seq := Offset(new(0), new(2), func(offset, limit *int) ([]int, int, error) {
		page, total := numbered(records, 50)(*offset, *limit), records
		records = 6 // two more while we read
		return page, total, nil
	})
	got, err := collect(t, seq)
	require.NoError(t, err)
	assert.Equal(t, count(0, 6), got)
}

func TestBreakFetchesNoMore(t *testing.T) {
	fetched := 0
	endless := func() []int { fetched++; return []int{1, 2} }
	now := time.Unix(1_700_000_000, 0)
	for name, seq := range map[string]iter.Seq2[int, error]{
		"offset": Offset(nil, nil, func(*int, *int) ([]int, int, error) { return endless(), UnknownTotal, nil }),
		"pages":  Pages(1, 0, func(int) ([]int, error) { return endless(), nil }),
		"tokens": Tokens("", func(token string) ([]int, string, error) { return endless(), token + "x", nil }),
		"backwards": Backwards(now, func(n int) time.Time { return now.Add(-time.Duration(n)) },
			func(time.Time) ([]int, error) { return endless(), nil }),
	} {
		t.Run(name, func(t *testing.T) {
			fetched = 0
			for item, err := range seq {
				require.NoError(t, err)
				if item == 2 {
					break
				}
			}
			assert.Equal(t, 1, fetched)
		})
	}
}

func TestPages(t *testing.T) {
	for name, test := range map[string]struct {
		start, last, have int // have is how many pages the service has
		failAt            int
		want              []int // the page numbers, each of which has one record
		wantAsked         []int
		wantErr           error
	}{
		"ends on an empty page":     {start: 1, have: 3, want: []int{1, 2, 3}, wantAsked: []int{1, 2, 3, 4}},
		"ends at the tier's cap":    {start: 1, last: 2, have: 9, want: []int{1, 2}, wantAsked: []int{1, 2}},
		"begins at the cap":         {start: 10, last: 10, have: 99, want: []int{10}, wantAsked: []int{10}},
		"no cap":                    {start: 11, last: 0, have: 12, want: []int{11, 12}, wantAsked: []int{11, 12, 13}},
		"begins beyond the cap":     {start: 11, last: 10, have: 99, wantErr: walletfi.ErrInvalidRequest},
		"page 0":                    {start: 0, last: 0, have: 99, wantErr: walletfi.ErrInvalidRequest},
		"negative page":             {start: -1, last: 10, have: 99, wantErr: walletfi.ErrInvalidRequest},
		"ends at the first error":   {start: 1, have: 9, failAt: 2, want: []int{1}, wantAsked: []int{1, 2}, wantErr: errPage},
		"nothing to be read at all": {start: 1, last: 10, have: 0, wantAsked: []int{1}},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []int
			got, err := collect(t, Pages(test.start, test.last, func(n int) ([]int, error) {
				asked = append(asked, n)
				switch {
				case n == test.failAt:
					return nil, errPage
				case n > test.have:
					return nil, nil
				}
				return []int{n}, nil
			}))
			assert.Equal(t, test.want, got)
			assert.Equal(t, test.wantAsked, asked)
			assert.ErrorIs(t, err, test.wantErr)
		})
	}
}

func TestCheckPageSaysWhatWouldDo(t *testing.T) {
	invalid := wiretest.As[*walletfi.ValidationError](t, CheckPage(11, 10))
	assert.Equal(t, "page", invalid.Field)
	assert.Equal(t, "is 11, the tier gives no more than 10", invalid.Problem)
	require.ErrorAs(t, CheckPage(0, 10), &invalid)
	assert.Equal(t, "is 0, pages are numbered from 1", invalid.Problem)
	assert.NoError(t, CheckPage(10, 10))
	assert.NoError(t, CheckPage(1000, 0))
}

func TestTokens(t *testing.T) {
	type answer struct {
		items []string
		next  string
		err   error
	}
	for name, test := range map[string]struct {
		start   string
		answers map[string]answer
		want    []string
		asked   []string
		err     error
	}{
		"ends without a token": {
			answers: map[string]answer{"": {items: []string{"a", "b"}, next: "2"}, "2": {items: []string{"c"}}},
			want:    []string{"a", "b", "c"}, asked: []string{"", "2"},
		},
		"an empty page in the middle": {
			answers: map[string]answer{"": {next: "2"}, "2": {next: "3"}, "3": {items: []string{"a"}}},
			want:    []string{"a"}, asked: []string{"", "2", "3"},
		},
		"the same token again": {
			answers: map[string]answer{"": {items: []string{"a"}, next: "2"}, "2": {items: []string{"b"}, next: "2"}},
			want:    []string{"a", "b"}, asked: []string{"", "2"},
		},
		"a circle of tokens": {
			answers: map[string]answer{"": {items: []string{"a"}, next: "2"}, "2": {items: []string{"b"}, next: "3"}, "3": {items: []string{"c"}, next: "2"}},
			want:    []string{"a", "b", "c"}, asked: []string{"", "2", "3"},
		},
		"from a token": {
			start:   "2",
			answers: map[string]answer{"2": {items: []string{"b"}}},
			want:    []string{"b"}, asked: []string{"2"},
		},
		"back to the token it began with": {
			start:   "2",
			answers: map[string]answer{"2": {items: []string{"b"}, next: "3"}, "3": {items: []string{"c"}, next: "2"}},
			want:    []string{"b", "c"}, asked: []string{"2", "3"},
		},
		"ends at the first error": {
			answers: map[string]answer{"": {items: []string{"a"}, next: "2"}, "2": {err: errPage, next: "3"}},
			want:    []string{"a"}, asked: []string{"", "2"}, err: errPage,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			seq := Tokens(test.start, func(token string) ([]string, string, error) {
				asked = append(asked, token)
				a, ok := test.answers[token]
				require.True(t, ok, "asked for %q", token)
				return a.items, a.next, a.err
			})
			for range 2 {
				asked = nil
				got, err := collect(t, seq)
				assert.Equal(t, test.want, got)
				assert.Equal(t, test.asked, asked)
				assert.ErrorIs(t, err, test.err)
			}
		})
	}
}

// candles has a record per minute, 1 to n, and returns three per page.
func candles(n int64, inclusive, ascending bool) func(before time.Time) ([]int64, error) {
	return func(before time.Time) ([]int64, error) {
		top := n
		if !before.IsZero() {
			top = min(n, before.Unix()/60)
			if !inclusive && top*60 == before.Unix() {
				top--
			}
		}
		var page []int64
		for i := top; i > max(top-3, 0); i-- {
			page = append(page, i)
		}
		if ascending {
			slices.Reverse(page)
		}
		return page, nil
	}
}

func TestBackwards(t *testing.T) {
	at := func(candle int64) time.Time { return time.Unix(candle*60, 0) }
	for name, test := range map[string]struct {
		before               time.Time
		n                    int64
		inclusive, ascending bool
		want                 []int64
	}{
		"from the newest":            {n: 7, want: []int64{7, 6, 5, 4, 3, 2, 1}},
		"from a time":                {n: 7, before: time.Unix(4*60, 0), want: []int64{3, 2, 1}},
		"the boundary belongs to it": {n: 7, inclusive: true, want: []int64{7, 6, 5, 4, 3, 2, 1}},
		"oldest first in a page":     {n: 7, ascending: true, want: []int64{7, 6, 5, 4, 3, 2, 1}},
		"both":                       {n: 7, inclusive: true, ascending: true, want: []int64{7, 6, 5, 4, 3, 2, 1}},
		"nothing":                    {n: 0, want: nil},
	} {
		t.Run(name, func(t *testing.T) {
			seq := Backwards(test.before, at, candles(test.n, test.inclusive, test.ascending))
			for range 2 {
				got, err := collect(t, seq)
				require.NoError(t, err)
				assert.Equal(t, test.want, got)
			}
		})
	}
}

func TestBackwardsEndsIfTheServiceIgnoresTheTime(t *testing.T) {
	fetched := 0
	got, err := collect(t, Backwards(time.Time{}, func(n int64) time.Time { return time.Unix(n, 0) },
		func(time.Time) ([]int64, error) { fetched++; return []int64{9, 8}, nil }))
	require.NoError(t, err)
	assert.Equal(t, []int64{9, 8}, got)
	assert.Equal(t, 2, fetched)
}

func TestBackwardsEndsAtTheFirstErrorAndDoesNotChangeThePage(t *testing.T) {
	pages := [][]int64{{3, 5, 4}, {5, 3, 1}}
	calls := 0
	got, err := collect(t, Backwards(time.Time{}, func(n int64) time.Time { return time.Unix(n, 0) },
		func(time.Time) ([]int64, error) {
			if calls++; calls > len(pages) {
				return nil, errPage
			}
			return pages[calls-1], nil
		}))
	assert.ErrorIs(t, err, errPage)
	assert.Equal(t, []int64{5, 4, 3, 1}, got)
	assert.Equal(t, [][]int64{{3, 5, 4}, {5, 3, 1}}, pages)
}

type numberedRecord struct {
	ID string `wire:"identity"`
}

// TestRepeatedPages: a record on two pages comes once; two pages without anything new end the
// iteration with an error, a page that is empty or has a record that could not be read does not.
func TestRepeatedPages(t *testing.T) {
	for name, test := range map[string]struct {
		pages []string // a letter is a record, ! one that could not be read
		want  string
		err   error
	}{
		"moved by one":              {[]string{"abc", "cd", "de", ""}, "abcde", nil},
		"one page that is the last": {[]string{"ab", "ab", "c", ""}, "abc", nil},
		"the same for ever":         {[]string{"ab", "ab", "ab", "ab", ""}, "ab", walletfi.ErrDecode},
		"two in turn":               {[]string{"ab", "c", "ab", "c", "d", ""}, "abc", walletfi.ErrDecode},
		"what could not be read":    {[]string{"ab", "a!", "b!", "c", ""}, "ab!!c", nil},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			fetch := func() (items []numberedRecord, err error) {
				n++
				for i, letter := range test.pages[n-1] {
					if letter == '!' {
						err = &walletfi.UnreadError{Records: []*walletfi.RecordError{{Index: i, Err: errPage}}}
						continue
					}
					items = append(items, numberedRecord{string(letter)})
				}
				return items, err
			}
			for _, seq := range []iter.Seq2[numberedRecord, error]{
				Offset(nil, nil, func(*int, *int) ([]numberedRecord, int, error) {
					items, err := fetch()
					return items, UnknownTotal, err
				}),
				Pages(1, 0, func(int) ([]numberedRecord, error) { return fetch() }),
				Tokens("", func(token string) ([]numberedRecord, string, error) {
					items, err := fetch()
					if len(items) == 0 && err == nil {
						return nil, "", nil
					}
					return items, token + "x", err
				}),
			} {
				n = 0
				got, failure := "", error(nil)
				for record, err := range seq {
					if _, unread := errors.AsType[*walletfi.RecordError](err); unread {
						record.ID = "!"
					} else if err != nil {
						failure = err
					}
					got += record.ID
				}
				assert.Equal(t, test.want, got)
				assert.ErrorIs(t, failure, test.err)
			}
		})
	}
}
