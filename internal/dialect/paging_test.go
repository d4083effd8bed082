package dialect

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// lister is a deployment that pages n records, some of whose pages are short.
type lister struct {
	n    int
	size int
	form deployment.PagingForm
	asks []string
}

// answer lists the records of the page that is asked for.
func (l *lister) answer(t testing.TB, sent string) string {
	l.asks = append(l.asks, sent)
	from := 0
	if sent != "" {
		n, err := strconv.Atoi(strings.TrimPrefix(sent, "c"))
		require.NoError(t, err)
		if from = n; l.form == deployment.PagingPage {
			from = (n - 1) * l.size
		}
	}
	to := min(l.n, from+l.size)
	var records []string
	for i := from; i < to; i++ {
		records = append(records, strconv.Itoa(i))
	}
	next := "null"
	if to < l.n {
		next = fmt.Sprintf(`"c%d"`, to)
	}
	return fmt.Sprintf(`{"next":%s,"more":%v,"data":[%s]}`, next, to < l.n, strings.Join(records, ","))
}

// TestPages reads a list to its end as each documented form asks for it, from each
// form that a deployment may have.
func TestPages(t *testing.T) {
	for _, form := range []deployment.PagingForm{deployment.PagingOffset, deployment.PagingPage, deployment.PagingCursor} {
		for _, by := range []string{byOffset, byPage, byToken} {
			for _, n := range []int{0, 1, 5, 6} {
				t.Run(fmt.Sprintf("%s for %s, %d", form, by, n), func(t *testing.T) {
					const size = 3
					l := &lister{n: n, size: size, form: form}
					o := stepped(t, deployment.Operation{Paging: &deployment.Paging{Form: form, Param: "p", Size: size, Next: "next", List: "data"}})
					var got []string
					at, token := 0, ""
					for range 20 {
						query := url.Values{"name": {"x"}}
						switch {
						case by == byOffset && at > 0:
							query.Set(byOffset, strconv.Itoa(at))
						case by == byPage && at > 0:
							query.Set(byPage, strconv.Itoa(at+1))
						case token != "":
							query.Set(byToken, token)
						}
						page, err := o.Page(nil, query, []string{by, "limit"})
						require.NoError(t, err)
						require.Equal(t, url.Values{"name": {"x"}}, query)
						text := []byte(l.answer(t, page.Sent))
						out := page.Answered(text, text)
						list, ok := path{"data"}.find(out)
						require.True(t, ok)
						var records []string
						for _, i := range elements(out[list.from:list.to]) {
							records = append(records, string(out[list.from+i]))
						}
						got = append(got, records...)
						if by == byToken {
							f, ok := path{"meta", byToken}.find(out)
							if !ok {
								break
							}
							token = strings.Trim(string(out[f.from:f.to]), `"`)
							continue
						}
						if len(records) == 0 {
							break
						}
						if at++; by == byOffset {
							at = len(got)
						}
					}
					want := []string(nil)
					for i := range n {
						want = append(want, strconv.Itoa(i))
					}
					assert.Equal(t, want, got, "%q", l.asks)
				})
			}
		}
	}
}

func TestPagesRefused(t *testing.T) {
	for _, c := range map[string]struct {
		paging deployment.Paging
		by     string
		at     string
		limit  string
	}{
		"within a page":     {deployment.Paging{Form: "page", Param: "p", Size: 20}, byOffset, "30", ""},
		"no size":           {deployment.Paging{Form: "page", Param: "p"}, byOffset, "30", ""},
		"no size, reversed": {deployment.Paging{Form: "offset", Param: "p"}, byPage, "2", ""},
		"unknown cursor":    {deployment.Paging{Form: "cursor", Param: "p", Next: "n"}, byOffset, "30", "10"},
		"page 0":            {deployment.Paging{Form: "page", Param: "p"}, byPage, "0", ""},
		"no token of ours":  {deployment.Paging{Form: "page", Param: "p"}, byToken, "abc", ""},
		"a huge page":       {deployment.Paging{Form: "offset", Param: "p", Size: 1000}, byPage, "1073741824", ""},
	} {
		query := url.Values{c.by: {c.at}}
		if c.limit != "" {
			query.Set("limit", c.limit)
		}
		_, err := stepped(t, deployment.Operation{Paging: &c.paging}).Page(nil, query, []string{c.by})
		wiretest.Refused(t, err, c.by)
	}
}

// TestWhatIsAskedFor of a deployment that numbers in another way.
func TestWhatIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		paging deployment.Paging
		by, at string
		limit  string
		sent   string
	}{
		{deployment.Paging{Form: "page", Param: "p"}, byOffset, "40", "20", "3"},
		{deployment.Paging{Form: "page", Param: "p", First: new(0)}, byOffset, "40", "20", "2"},
		{deployment.Paging{Form: "page", Param: "p", First: new(0)}, byPage, "1", "", "0"},
		{deployment.Paging{Form: "page", Param: "p", Size: 10}, byOffset, "", "", ""},
		{deployment.Paging{Form: "page", Param: "p", Size: 10}, byOffset, "0", "", "1"},
		{deployment.Paging{Form: "offset", Param: "p", Size: 10}, byPage, "3", "", "20"},
		{deployment.Paging{Form: "offset", Param: "p"}, byOffset, "7", "", "7"},
		{deployment.Paging{Form: "cursor", Param: "p", Next: "n"}, byToken, "abc", "", "abc"},
	} {
		query := url.Values{}
		if c.at != "" {
			query.Set(c.by, c.at)
		}
		if c.limit != "" {
			query.Set("limit", c.limit)
		}
		page, err := stepped(t, deployment.Operation{Paging: &c.paging}).Page(nil, query, []string{c.by})
		require.NoError(t, err)
		assert.Equal(t, c.sent, page.Sent, "%+v", c)
	}
}

func TestMore(t *testing.T) {
	for body, token := range map[string]string{
		`{"more":true,"data":[1]}`:    "2",
		`{"more":false,"data":[1,2]}`: "",
		`{"data":[1,2]}`:              "",
		`{"more":"yes","data":[1]}`:   "",
	} {
		page, err := stepped(t, deployment.Operation{Paging: &deployment.Paging{Form: "page", Param: "p", Size: 2, More: "more", List: "data"}}).Page(nil, url.Values{}, []string{byToken})
		require.NoError(t, err)
		out := page.Answered([]byte(body), []byte(body))
		assert.Equal(t, token != "", strings.Contains(string(out), `"next_token":"2"`), body)
	}
}

// TestCursorsThatGoRound end a list, whose pages were all read.
func TestCursorsThatGoRound(t *testing.T) {
	o := stepped(t, deployment.Operation{Paging: &deployment.Paging{Form: "cursor", Param: "p", Next: "next", List: "data"}})
	for _, round := range []int{1, 2, 3, 7, 40} {
		const straight = 5 // pages before the round
		seen, asked, at := map[string]bool{}, 0, 0
		for {
			page, err := o.Page(nil, url.Values{byOffset: {strconv.Itoa(at)}, "round": {strconv.Itoa(round)}}, []string{byOffset})
			require.NoError(t, err)
			n, _ := strconv.Atoi(page.Sent)
			next := n + 1
			if next == straight+round {
				next = straight
			}
			body := fmt.Appendf(nil, `{"next":%q,"data":[%q]}`, strconv.Itoa(next), page.Sent)
			asked++
			require.Less(t, asked, 4*(straight+round), "the list does not end")
			out := string(page.Answered(body, body))
			if out == fmt.Sprintf(`{"next":%q,"data":[]}`, strconv.Itoa(next)) {
				break
			}
			seen[page.Sent] = true
			at++
		}
		require.Len(t, seen, straight+round, "every page was read")
	}
}

// TestMemory keeps the latest pages, and none of the words of a request.
func TestMemory(t *testing.T) {
	var m memory
	for i := range 3 * maxRemembered {
		m.put([32]byte{}, i, location{page: i})
		m.put([32]byte{}, i, location{page: i + 1})
	}
	require.Len(t, m.known, maxRemembered)
	_, ok := m.get([32]byte{}, 2*maxRemembered-1)
	require.False(t, ok)
	for i := 2 * maxRemembered; i < 3*maxRemembered; i++ {
		l, ok := m.get([32]byte{}, i)
		require.True(t, ok)
		require.Equal(t, i+1, l.page)
	}
}
