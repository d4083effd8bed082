package e2e

import (
	"context"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// TestListConvention: every list of every service has one shape.
//
//	ListX(ctx, [ids...], [req XRequest], ...CallOption) (*XPage, error)
//	AllX(ctx, [ids...], req XRequest, ...CallOption) iter.Seq2[X, error]
//
// A page has its records in Items, the first field. Search and Filter stand for
// List where the service says so. A request that selects a page has an iterator.
func TestListConvention(t *testing.T) {
	lists, iterators := 0, 0
	for service, client := range flows.Clients {
		for m := range client.Methods() {
			name := string(service) + "." + m.Name
			switch {
			case flows.IsIterator(m.Type):
				if m.Name == "CloseAll" { // not a list: it closes, round by round
					continue
				}
				iterators++
				t.Run(name, func(t *testing.T) { require.Empty(t, iteratorStrays(client, m)) })
			case flows.IsList(m):
				lists++
				t.Run(name, func(t *testing.T) { require.Empty(t, listStrays(client, m)) })
			}
		}
	}
	require.Equal(t, 43, lists)
	require.Equal(t, 22, iterators)
}

// TestListConventionSeesStrays: each way to stray from the convention is seen.
func TestListConventionSeesStrays(t *testing.T) {
	client := reflect.TypeFor[*strayClient]()
	for m := range client.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			if flows.IsIterator(m.Type) {
				require.NotEmpty(t, iteratorStrays(client, m))
				return
			}
			require.True(t, flows.IsList(m))
			require.NotEmpty(t, listStrays(client, m))
		})
	}
	require.Equal(t, 9, client.NumMethod())
}

// listStrays says how a list strays from the convention.
func listStrays(client reflect.Type, m reflect.Method) []string {
	var strays []string
	page := flows.PageOf(m.Type.Out(0))
	switch {
	case page == nil:
		strays = append(strays, "the result is no *XPage")
	case page.NumField() == 0 || page.Field(0).Name != "Items" || page.Field(0).Type.Kind() != reflect.Slice:
		strays = append(strays, "the page does not begin with Items")
	}
	if m.Type.NumOut() != 2 || m.Type.Out(1) != reflect.TypeFor[error]() {
		strays = append(strays, "the second result is no error")
	}
	strays = append(strays, parameterStrays(m)...)
	if _, ok := client.MethodByName(iteratorOf(m.Name)); !ok && paged(m) {
		strays = append(strays, "there is no "+iteratorOf(m.Name))
	}
	return strays
}

// iteratorStrays says how an iterator strays from its list.
func iteratorStrays(client reflect.Type, m reflect.Method) []string {
	strays := parameterStrays(m)
	for list := range client.Methods() {
		if iteratorOf(list.Name) != m.Name || flows.PageOf(list.Type.Out(0)) == nil {
			continue
		}
		for i := 1; i < list.Type.NumIn(); i++ {
			if m.Type.NumIn() != list.Type.NumIn() || m.Type.In(i) != list.Type.In(i) {
				return append(strays, "its parameters are not those of "+list.Name)
			}
		}
		items, _ := flows.PageOf(list.Type.Out(0)).FieldByName("Items")
		yields := m.Type.Out(0).In(0)
		if yields.In(0) != items.Type.Elem() || yields.In(1) != reflect.TypeFor[error]() {
			strays = append(strays, "it does not yield the items of "+list.Name)
		}
		return strays
	}
	return append(strays, "it has no list")
}

// iteratorOf is the name of a list's iterator: AllX for ListX, AllSearchX for
// SearchX.
func iteratorOf(list string) string { return "All" + strings.TrimPrefix(list, "List") }

// parameterStrays: a context, the ids of the path, a request, the options.
func parameterStrays(m reflect.Method) []string {
	in := slices.Collect(m.Type.Ins())[1:] // without the receiver
	if len(in) < 2 || in[0] != reflect.TypeFor[context.Context]() || in[len(in)-1] != reflect.TypeFor[[]walletfi.CallOption]() {
		return []string{"it does not take a context first and call options last"}
	}
	in = in[1 : len(in)-1]
	for len(in) > 0 && in[0].Kind() == reflect.String {
		in = in[1:]
	}
	if len(in) > 0 && in[0].Kind() == reflect.Struct && strings.HasSuffix(in[0].Name(), "Request") {
		in = in[1:]
	}
	if len(in) > 0 {
		return []string{"it takes more than ids and a request"}
	}
	return nil
}

// paged reports whether the request of a list selects a page.
func paged(m reflect.Method) bool {
	request := m.Type.In(m.Type.NumIn() - 2)
	if request.Kind() != reflect.Struct {
		return false
	}
	for _, name := range []string{"Page", "Offset", "NextToken", "Cursor", "Before"} {
		if _, ok := request.FieldByName(name); ok {
			return true
		}
	}
	return false
}

// strayClient has a method for each way to stray.
type strayClient struct{}

type strayPage struct{ Items []string }

type latePage struct {
	Total int
	Items []string
}

func (*strayClient) ListSlices(context.Context, ...walletfi.CallOption) ([]string, error) {
	return nil, nil
}

func (*strayClient) Recent(context.Context, ...walletfi.CallOption) ([]string, error) {
	return nil, nil
}

func (*strayClient) ListDocuments(context.Context, ...walletfi.CallOption) (walletfi.Document, error) {
	return nil, nil
}

func (*strayClient) ListLate(context.Context, ...walletfi.CallOption) (*latePage, error) {
	return nil, nil
}

func (*strayClient) ListByFilters(context.Context, map[string]string, ...walletfi.CallOption) (*strayPage, error) {
	return nil, nil
}

func (*strayClient) ListWithoutOptions(context.Context) (*strayPage, error) { return nil, nil }

func (*strayClient) ListWithoutIterator(context.Context, socialsearch.SearchRequest, ...walletfi.CallOption) (*strayPage, error) {
	return nil, nil
}

func (*strayClient) AllOrphans(context.Context, ...walletfi.CallOption) iter.Seq2[string, error] {
	return nil
}

func (*strayClient) AllLate(context.Context, ...walletfi.CallOption) iter.Seq2[int, error] {
	return nil
}
