package routes

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// configURLs are the fields of each client's Config that hold an address.
var configURLs = map[sandbox.Service][]string{
	sandbox.AMM:          {"tradeURL", "dataURL"},
	sandbox.BurnClose:    {"baseURL"},
	sandbox.Lending:      {"baseURL"},
	sandbox.Leverage:     {"baseURL"},
	sandbox.OnchainData:  {"demoBaseURL", "proBaseURL"},
	sandbox.PredictMeta:  {"baseURL", "webSocketURL"},
	sandbox.ProviderSwap: {"baseURL"},
	sandbox.SmartAccount: {"baseURL"},
	sandbox.SocialSearch: {"baseURL"},
	sandbox.Swap:         {"baseURL"},
	sandbox.Webhooks:     {"baseURL"},
}

// documentedHeaders are the headers that each client sends or reads by name, without
// those of HTTP itself.
var documentedHeaders = map[sandbox.Service][]string{
	sandbox.AMM:          {"Retry-After"},
	sandbox.BurnClose:    {"X-Api-Key", "Authorization", "Retry-After"},
	sandbox.Lending:      {"X-Api-Key", "Retry-After"},
	sandbox.Leverage:     {"X-Api-Key", "Retry-After"},
	sandbox.OnchainData:  {"X-Demo-Api-Key", "X-Pro-Api-Key", "Retry-After"},
	sandbox.PredictMeta:  {"X-Api-Key", "Retry-After"},
	sandbox.ProviderSwap: {"X-Api-Key", "Retry-After"},
	sandbox.SmartAccount: {"Authorization", "X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Retry-After"},
	sandbox.SocialSearch: {"Authorization", "X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset", "Retry-After"},
	sandbox.Swap:         {"X-Api-Key", "Retry-After"},
	sandbox.Webhooks:     {"Authorization", "X-Webhook-Signature", "X-Webhook-Nonce", "X-Webhook-Timestamp", "Retry-After"},
}

// documentedNames are members whose place is not documented.
var documentedNames = map[sandbox.Service][]string{
	sandbox.ProviderSwap: {"error", "success"},
	sandbox.Leverage:     {"bundleId", "data", "message", "offers", "positions", "result", "signature", "success", "tokens"},
	sandbox.Webhooks:     {"contracts", "events"}, // in templateArgs, by template
}

// documentedOperators are the operators of a query and the members of messages whose
// values are words.
var documentedOperators = map[sandbox.Service]map[string][]string{
	sandbox.SocialSearch: {"is": {"reply", "repost"}, "has": {"links", "media"}},
	sandbox.PredictMeta:  {"action": {"subscribe", "unsubscribe"}, "type": {"orderbook_update", "price_update", "trade"}},
}

// messageTypes are what comes without a call.
var messageTypes = map[sandbox.Service]map[string]reflect.Type{
	sandbox.Lending: {
		"webhook": reflect.TypeFor[lending.UnverifiedWebhook](),
		"deposit": reflect.TypeFor[lending.CompletedDeposit](),
	},
	sandbox.PredictMeta: {
		"subscribe": reflect.TypeFor[struct {
			Action  string `json:"action"`
			Channel string `json:"channel"`
			Ticker  string `json:"ticker"`
		}](),
		"price_update":     reflect.TypeFor[predictmeta.PriceUpdate](),
		"orderbook_update": reflect.TypeFor[predictmeta.BookUpdate](),
		"trade":            reflect.TypeFor[predictmeta.TradeUpdate](),
	},
	sandbox.Webhooks: {
		"evm":    reflect.TypeFor[webhooks.EVMPayload](),
		"ledger": reflect.TypeFor[webhooks.LedgerPayload](),
	},
}

// errorNames are the members that the client reads in errors, and documentedNames.
func errorNames(t *testing.T, service sandbox.Service) []string {
	t.Helper()
	names := map[string]bool{}
	for _, name := range documentedNames[service] {
		names[name] = true
	}
	p := parseFolder(t, "../../"+string(service))
	for _, file := range p.files {
		if !strings.HasSuffix(p.positions.Position(file.Pos()).Filename, "errors.go") {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok && f.Tag != nil {
				tag, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
				names[tag] = tag != "" && tag != "-"
			}
			return true
		})
	}
	maps.DeleteFunc(names, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(names))
}

// enums are the values of a service's string types, by the name of the type.
type enums map[string][]string

// enumerations reads the constants of a client's string types.
func enumerations(t *testing.T, service string) enums {
	t.Helper()
	p := parseFolder(t, "../../"+service)
	found := enums{}
	for _, file := range p.files {
		for _, d := range file.Decls {
			constants, ok := d.(*ast.GenDecl)
			if !ok || constants.Tok != token.CONST {
				continue
			}
			for _, s := range constants.Specs {
				spec := s.(*ast.ValueSpec)
				of, ok := spec.Type.(*ast.Ident)
				if !ok || len(spec.Values) != 1 {
					continue
				}
				if text, ok := p.text(spec.Values[0]); ok && text != "" {
					found[of.Name] = append(found[of.Name], text)
				}
			}
		}
	}
	return found
}

// shapeOf returns the shape of the JSON that a type is read from or written to.
func (e enums) shapeOf(t reflect.Type) catalogue.Shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String:
		return catalogue.Shape{Values: slices.Clone(e[t.Name()])}
	case reflect.Slice, reflect.Array:
		if t == reflect.TypeFor[walletfi.Document]() || t == reflect.TypeFor[json.RawMessage]() {
			return catalogue.Shape{Open: true}
		}
		if t.Elem().Kind() == reflect.Uint8 {
			return catalogue.Shape{} // bytes are text
		}
		item := e.shapeOf(t.Elem())
		return catalogue.Shape{Item: &item}
	case reflect.Map:
		return catalogue.Shape{Members: map[string]catalogue.Shape{"*": e.shapeOf(t.Elem())}}
	case reflect.Interface:
		return catalogue.Shape{Open: true}
	case reflect.Struct:
		members := map[string]catalogue.Shape{}
		e.members(t, members)
		if len(members) == 0 {
			return catalogue.Shape{} // a Decimal, a Time
		}
		return catalogue.Shape{Members: members}
	}
	return catalogue.Shape{}
}

func (e enums) members(t reflect.Type, into map[string]catalogue.Shape) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			embedded := f.Type
			for embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			if embedded.Kind() == reflect.Struct {
				e.members(embedded, into)
			}
		case name != "" && name != "-":
			into[name] = e.shapeOf(f.Type)
		}
	}
}

// parameters adds the query parameters of a request's struct.
func (e enums) parameters(t reflect.Type, into map[string]catalogue.Shape) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("url"), ","); name != "" && name != "-" {
			shape := e.shapeOf(f.Type)
			if shape.Item != nil {
				shape = *shape.Item
			}
			into[name] = catalogue.Shape{Values: shape.Values}
		}
	}
}

func (l *listener) query(o *catalogue.Operation, call transport.Call, sent url.Values) {
	if o.Query == nil {
		o.Query = map[string]catalogue.Shape{}
	}
	l.enums.parameters(reflect.TypeOf(call.Query), o.Query)
	for _, name := range call.Parameters {
		if _, ok := o.Query[name]; !ok {
			o.Query[name] = catalogue.Shape{}
		}
	}
	for name := range sent {
		if _, ok := o.Query[name]; !ok {
			o.Query[name] = catalogue.Shape{}
		}
	}
}

func (l *listener) body(o *catalogue.Operation, call transport.Call, sent []byte) {
	if call.Body == nil {
		return
	}
	value := call.Body
	var shape catalogue.Shape
	if s, ok := value.(transport.Spliced); ok {
		shape = l.enums.shapeOf(reflect.TypeOf(s.Rest))
		if shape.Members == nil {
			shape.Members = map[string]catalogue.Shape{}
		}
		shape.Members[s.Key] = catalogue.Shape{Open: true}
	} else {
		shape = l.enums.shapeOf(reflect.TypeOf(value))
	}
	o.Body = merged(o.Body, shape)
	o.Body = merged(o.Body, shapeOfText(sent))
}

// merged adds what b has to a, which may be nil.
func merged(a *catalogue.Shape, b catalogue.Shape) *catalogue.Shape {
	switch {
	case a == nil:
		return &b
	case a.Open:
	case a.IsZero() && !b.Open:
		return &b // a type that decodes itself says nothing
	case a.Members != nil && b.Members != nil:
		for name, shape := range b.Members {
			old, ok := a.Members[name]
			if !ok {
				old, ok = a.Members["*"]
				name = orStar(name, ok)
			}
			if ok {
				shape = *merged(&old, shape)
			}
			a.Members[name] = shape
		}
	case a.Item != nil && b.Item != nil:
		a.Item = merged(a.Item, *b.Item)
	}
	return a
}

// invented are members that the sandbox adds to answers, so that clients bear what they
// do not know.
var invented = map[string]bool{"trace": true}

func orStar(name string, star bool) string {
	if star {
		return "*"
	}
	return name
}

// errorShape asks each service for what it refuses.
func errorShape(t *testing.T, s *sandbox.Sandbox, service sandbox.Service) catalogue.Shape {
	t.Helper()
	response, err := http.Get(s.URL(service) + "/no/such/route")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return shapeOfText(text)
}

func shapeOfText(text []byte) catalogue.Shape {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return catalogue.Shape{Open: true}
	}
	return shapeOfValue(value)
}

func shapeOfValue(value any) catalogue.Shape {
	switch v := value.(type) {
	case map[string]any:
		members := map[string]catalogue.Shape{}
		for name, member := range v {
			if invented[name] {
				continue
			}
			if _, err := base58.Decode(name); err == nil && len(name) >= 32 {
				name = "*" // an address is data
			}
			members[name] = shapeOfValue(member)
		}
		return catalogue.Shape{Members: members}
	case []any:
		var item *catalogue.Shape
		for _, each := range v {
			item = merged(item, shapeOfValue(each))
		}
		if item == nil {
			item = &catalogue.Shape{}
		}
		return catalogue.Shape{Item: item}
	}
	return catalogue.Shape{}
}
