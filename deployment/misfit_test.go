package deployment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestMisfits: a member of another kind is named by its path in the file, each on its line, in
// place of the types that it is decoded into.
func TestMisfits(t *testing.T) {
	for text, want := range map[string]string{
		`{"services":{"swap":{"keys":{"inAmount":5}}}}`:                                              `services.swap.keys.inAmount: is a JSON number`,
		`{"services":{"swap":{"keys":["a"]}}}`:                                                       `services.swap.keys: is a JSON array`,
		`{"services":{"swap":5}}`:                                                                    `services.swap: is a JSON number`,
		`{"services":"swap"}`:                                                                        `services: is a JSON string`,
		`{"name":true}`:                                                                              `name: is a JSON bool`,
		`[1]`:                                                                                        `is a JSON array`,
		`{"services":{"swap":{"noAuth":"yes"}}}`:                                                     `services.swap.noAuth: is a JSON string`,
		`{"services":{"swap":{"auth":{"in":"query"}}}}`:                                              `services.swap.auth: is a JSON object`,
		`{"services":{"swap":{"auth":[7]}}}`:                                                         `services.swap.auth[0]: is a JSON number`,
		`{"services":{"swap":{"numbers":{"outAmount":{"scale":1.5}}}}}`:                              `services.swap.numbers.outAmount.scale: is a JSON number that is no integer`,
		`{"services":{"swap":{"numbers":{"outAmount":{"scale":"1"}}}}}`:                              `services.swap.numbers.outAmount.scale: is a JSON string`,
		`{"services":{"swap":{"values":{"status":{"open":[]}}}}}`:                                    `services.swap.values.status.open: is a JSON array`,
		`{"services":{"swap":{"operations":{"GET /order":{"keys":[]}}}}}`:                            `services.swap.operations["GET /order"].keys: is a JSON array`,
		`{"services":{"swap":{"operations":{"GET /order":{"answer":[{"at":5}]}}}}}`:                  `services.swap.operations["GET /order"].answer[0].at: is a JSON number`,
		`{"services":{"swap":{"operations":{"GET /tokens":{"paging":{"first":"1"}}}}}}`:              `services.swap.operations["GET /tokens"].paging.first: is a JSON string`,
		"{\"services\":{\"swap\":{\n\"query\":{\"amount\":false},\n\"noAuth\":0,\"headers\":null}}}": `services.swap.query.amount: is a JSON bool`,
	} {
		for _, mark := range []string{"", "\uFEFF"} {
			_, err := deployment.Parse("f.json", []byte(mark+text))
			require.ErrorContains(t, err, want, text)
			require.NotContains(t, err.Error(), "Words")
			first := wiretest.As[*deployment.Error](t, err)
			require.Equal(t, 1+strings.Count(text[:strings.Index(text, "\n")+1], "\n"), first.Line, text)
		}
	}
	d, err := deployment.Parse("f.json", []byte("\uFEFF// a comment\n{\"services\":{\"swap\":{\"noAuth\":true}}}"))
	require.NoError(t, err, "with the mark that some editors write")
	require.True(t, d.Services["swap"].NoAuth)
	_, err = deployment.Parse("f.json", []byte("{\n\"services\":{\"swap\":{\n\"query\":{\"amount\":false},\n\"noAuth\":0,\n\"name\":1}}}"))
	require.Len(t, strings.Split(err.Error(), "\n"), 3, "all of them")
	require.ErrorContains(t, err, "f.json:4: services.swap.noAuth: is a JSON number")
}
