package deployment

import "encoding/json"

// Deployment is how one vendor's services differ from the documentation. The
// zero value differs in nothing.
type Deployment struct {
	// Name is for people: it is in errors.
	Name string `json:"name,omitempty"`
	// Services has the services by the name of their package, such as "swap". One
	// that is absent is as documented.
	Services map[string]Service `json:"services,omitempty"`
}

// Service holds the differences of one service. All maps of words go from neutral to
// live.
type Service struct {
	// URLs has addresses by the field of the client's Config in lower camel case,
	// such as "baseURL". They are used if the field is empty.
	URLs map[string]string `json:"urls,omitempty"`
	// Auth is where the credential goes, in place of the documented header.
	Auth []Place `json:"auth,omitempty"`
	// NoAuth sends no credential.
	NoAuth bool `json:"noAuth,omitempty"`

	Headers  map[string]string `json:"headers,omitempty"`  // names, of requests, answers and webhooks
	Segments map[string]string `json:"segments,omitempty"` // whole segments of documented paths

	Words

	// Failure leads from the live body of an error to the documented one.
	Failure []Step `json:"failure,omitempty"`
	// Operations has what is so for one operation alone, by its documented route,
	// such as "GET /v1/markets/{ticker}". Of a feed, "GET /ws" has what is sent, and
	// "GET /ws trade" the messages of the documented type trade.
	Operations map[string]Operation `json:"operations,omitempty"`
	// Templates has the words of webhooks' arguments, templateArgs, by the id of their template,
	// such as "evmWalletFilter": keys, values and numbers, added to the service's.
	Templates map[string]Words `json:"templates,omitempty"`
}

// Operation holds the differences of one operation.
type Operation struct {
	// Route is the live method and path. Its placeholders are values of the
	// documented path and query parameters; each value of the path is there once.
	// Empty means the documented route.
	Route string `json:"route,omitempty"`

	Words // added to the service's; the operation's word wins

	Body   []Step  `json:"body,omitempty"`   // from the documented body to the live one
	Answer []Step  `json:"answer,omitempty"` // from the live answer to the documented one
	Paging *Paging `json:"paging,omitempty"`
	// EchoWhole sends the whole answer back where the documentation has a part of it go
	// back, whatever the steps of Answer unwrap.
	EchoWhole bool `json:"echoWhole,omitempty"`
}

// Words are names and values, from neutral to live.
type Words struct {
	Query map[string]string `json:"query,omitempty"` // names of query parameters
	Keys  map[string]string `json:"keys,omitempty"`  // names of members of JSON objects
	// Values has enumeration values, under the neutral name of their member, query
	// parameter or search operator.
	Values map[string]map[string]string `json:"values,omitempty"`
	// Numbers has forms of numbers, under the neutral name of their member or query
	// parameter.
	Numbers map[string]Number `json:"numbers,omitempty"`
	// Extra holds undocumented values that the deployment requires.
	Extra Extra `json:"extra,omitzero"`
}

// Place is where a credential goes.
type Place struct {
	In     In     `json:"in"`
	Name   string `json:"name"`             // of the header or parameter
	Prefix string `json:"prefix,omitempty"` // before the credential, such as "Bearer "
	// Secret names one of Options.Secrets. Empty means the client's own credential.
	Secret string `json:"secret,omitempty"`
}

// In is a part of a request.
type In string

// The parts that can hold a credential.
const (
	InHeader In = "header"
	InQuery  In = "query"
)

// Number is the form of a number. Digits are moved, never computed: a value that
// would have to be rounded is refused.
type Number struct {
	// Scale: the neutral number is the live one times ten to this power, from -18
	// to 18. If it is positive, the neutral number is an integer.
	Scale int `json:"scale,omitempty"`
	// Live and Neutral are the JSON types on each side. Empty: as it came.
	Live    JSONType `json:"live,omitempty"`
	Neutral JSONType `json:"neutral,omitempty"`
	Prefix  string   `json:"prefix,omitempty"` // before the digits of a live string
	Suffix  string   `json:"suffix,omitempty"` // after them
}

// JSONType is the JSON type of a number.
type JSONType string

// The types.
const (
	JSONNumber JSONType = "number"
	JSONString JSONType = "string"
)

// Extra has live words and values, which nothing translates.
type Extra struct {
	Query   map[string]string          `json:"query,omitempty"`
	Headers map[string]string          `json:"headers,omitempty"`
	Body    map[string]json.RawMessage `json:"body,omitempty"` // members of each body that is an object
}

// Step changes the shape of JSON. Exactly one of Unwrap, Wrap, Only, List, Move, Default,
// Names and Complement is set. Paths are live member names with dots; "*" is each element
// of an array.
type Step struct {
	At     string `json:"at,omitempty"`     // where; empty means the whole
	Unwrap string `json:"unwrap,omitempty"` // the value at this path takes the whole's place
	Wrap   string `json:"wrap,omitempty"`   // objects around the value
	Only   bool   `json:"only,omitempty"`   // an array of one becomes its element
	List   bool   `json:"list,omitempty"`   // the value becomes an array of one
	Move   string `json:"move,omitempty"`   // the member at this path
	To     string `json:"to,omitempty"`     // becomes the member at this one
	// Default, any JSON, becomes the member at To if there is none.
	Default json.RawMessage `json:"default,omitempty"`
	// Names are two. An object becomes an array of objects: the name of each of its
	// members under the first name, the value under the second. An array of two becomes
	// an object of these names.
	Names []string `json:"names,omitempty"`
	// Complement makes 1 - p of a number p from 0 to 1, exactly.
	Complement bool `json:"complement,omitempty"`
}

// Paging is how a deployment pages a list.
type Paging struct {
	Form  PagingForm `json:"form"`
	Param string     `json:"param"`           // the live query parameter
	First *int       `json:"first,omitempty"` // number of the first page; nil means 1
	Size  int        `json:"size,omitempty"`  // records a page, if the request does not say
	Next  string     `json:"next,omitempty"`  // live path of the next cursor
	More  string     `json:"more,omitempty"`  // live path of a boolean: more follows
	List  string     `json:"list,omitempty"`  // neutral path of the list; empty means the answer
}

// PagingForm says how a request selects a page of a list.
type PagingForm string

// The forms.
const (
	PagingOffset PagingForm = "offset"
	PagingPage   PagingForm = "page"
	PagingCursor PagingForm = "cursor"
)
