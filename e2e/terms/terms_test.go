package terms_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var write = flag.Bool("terms.write", false, "write docs/terms.md")

// synonyms are the services' words for one thing, and the one that stands for all.
var synonyms = map[string]string{
	"srcmint": "inputmint", "frommint": "inputmint", "dstmint": "outputmint", "tomint": "outputmint",
	"mintaddress": "mint", "amountin": "amount", "srcamountin": "inamount", "destamountout": "outamount",
	"destamountoutmin": "minoutamount", "slippagebps": "slippage",
	"payer": "owner", "useraccount": "owner", "userpublickey": "owner", "wallet": "owner", "referrer": "owner",
	"positionaddress": "position", "priorityfeemicrolamports": "computeunitpricemicrolamports",
	"prioritymicrolamports": "computeunitpricemicrolamports", "relaytiplamports": "tiplamports",
	"pagesize": "limit", "maxresults": "limit", "perpage": "limit", "starttime": "start", "endtime": "end",
	"blocktimestamp": "timestamp", "poolcreatedat": "createdat",
}

// term names a field by its word in the service, or by its name in Go if it is not sent as it
// is, or holds the records of a page.
func term(f field) string {
	word := f.wire
	if word == "" || f.name == "Items" {
		word = strings.ToLower(f.name)
	}
	if one, ok := synonyms[word]; ok {
		return one
	}
	return word
}

// row is a term with the fields that it has under each name, and under each type.
type row struct{ names, kinds map[string][]field }

func rowsOf(fields []field) map[string]row {
	rows := map[string]row{}
	for _, f := range fields {
		r, ok := rows[term(f)]
		if !ok {
			r = row{map[string][]field{}, map[string][]field{}}
			rows[term(f)] = r
		}
		r.names[f.name] = append(r.names[f.name], f)
		r.kinds[f.kind] = append(r.kinds[f.kind], f)
	}
	return rows
}

// TestTerms: one term of the services has one name and one type, or a reason that is given. A
// new field is a line of docs/terms.md, which -terms.write writes, so that a review sees it.
func TestTerms(t *testing.T) {
	fields := fieldsOfCalls()
	require.Greater(t, len(fields), 1000)
	rows := rowsOf(fields)
	page := page(rows)
	if *write {
		require.NoError(t, os.WriteFile("../../docs/terms.md", []byte(page), 0o644))
	}
	written, err := os.ReadFile("../../docs/terms.md")
	require.NoError(t, err)
	require.Equal(t, string(written), page, "go test ./e2e/terms -terms.write")
	excepted, names, kinds := map[string]bool{}, 0, 0
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		excepted[name] = len(rows[name].names) > 1 && otherNames[name] != "" || len(rows[name].kinds) > 1 && otherTypes[name] != ""
		if len(rows[name].names) > 1 && otherNames[name] == "" {
			names++
			t.Errorf("%s has several names: %v", name, rows[name].names)
		}
		if len(rows[name].kinds) > 1 && otherTypes[name] == "" {
			kinds++
			t.Errorf("%s has several types: %v", name, rows[name].kinds)
		}
	}
	for name := range otherNames {
		require.Greater(t, len(rows[name].names), 1, "%s needs no exception", name)
	}
	for name := range otherTypes {
		require.Greater(t, len(rows[name].kinds), 1, "%s needs no exception", name)
	}
	count := 0
	for _, is := range excepted {
		if is {
			count++
		}
	}
	fmt.Printf("fields=%d terms=%d excepted=%d with two names=%d with two types=%d\n", len(fields), len(rows), count, names, kinds)
}
