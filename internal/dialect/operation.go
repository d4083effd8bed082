package dialect

import (
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
)

// Operation holds the rules of one operation. A nil one is as documented.
type Operation struct {
	// Method is the live HTTP method.
	Method string

	service    *Service
	field      string // in errors
	documented string // route
	route      *route // nil for the documented one
	query      map[string]string
	out, in    table
	extra      extra
	body       []step
	answer     []step
	paging     *paging
	echoWhole  bool
	messages   map[string]*Operation // of a feed that have words of their own, by documented type
	template   string                // that the request's path names
}

// templates are the words of arguments, by the id of their template.
func (o *Operation) templates() map[string]*Operation {
	if o.service == nil {
		return nil
	}
	return o.service.templates
}

// Template returns the rules of a request whose path has the values, by the documented names.
func (o *Operation) Template(values []Value) *Operation {
	if o == nil || len(o.templates()) == 0 {
		return o
	}
	for _, v := range values {
		if v.Name == memberTemplate {
			own := *o
			own.template = v.Plain
			return &own
		}
	}
	return o
}

// compileOperation compiles the operation with a documented route, "" for all
// others. common are the service's words.
func (s *Service) compileOperation(
	documented string, common deployment.Words, service string, given deployment.Operation,
) (o *Operation, err error) {
	o = &Operation{service: s, field: service, documented: documented}
	if documented != "" {
		o.field = service + ".operations[" + documented + "]"
		o.Method, _, _ = strings.Cut(documented, " ")
	}
	if o.route = compileRoute(given.Route); o.route != nil {
		o.Method = o.route.method
	}
	o.extra = compileExtra(common.Extra, given.Extra)
	o.body, o.answer, o.paging = compileSteps(given.Body), compileSteps(given.Answer), compilePaging(given.Paging)
	o.echoWhole = given.EchoWhole
	return o, o.compileWords(common, service, given.Words)
}
