package onchaindata

import "github.com/walletfi/walletfi-go/internal/jsonscan"

// scanner reads the answers that come often and large without reflection: pages of
// pools, candles, trades. Attributes are read by a jsonscan.Shape; TestDecoders
// holds the rest to the json tags.
//
// A reader of a field fails if the field was set before, because what
// encoding/json makes of a name that comes twice depends on the field's type.
type scanner struct{ *jsonscan.Scanner }

// scan runs read over the one value that body must be.
func scan(body []byte, read func(*scanner)) bool {
	return jsonscan.Scan(body, func(s *jsonscan.Scanner) { read(&scanner{s}) })
}

// recordScan reads a record around its attributes.
type recordScan struct {
	id, kind string
	links
}

// links are the ids of a record's related records.
type links struct {
	baseToken, quoteToken, dex string
	topPools                   []string
}

// record reads a record. The function attributes reads its attributes. It gets the
// record's type, "" if that comes later, and fails if it needs the type.
func (s *scanner) record(attributes func(kind string)) recordScan {
	var r recordScan
	var hasID, hasAttributes bool
	for more := s.Open('{'); more; more = s.Next('{') {
		name := s.Key()
		if name == "id" && hasID || name == "attributes" && hasAttributes {
			s.Fail()
		}
		hasID, hasAttributes = hasID || name == "id", hasAttributes || name == "attributes"
		switch name {
		case "id":
			s.String(&r.id)
		case "type":
			s.String(&r.kind)
		case "attributes":
			if !s.Null() {
				attributes(r.kind)
			}
		case "relationships":
			if !s.Null() {
				s.links(&r.links)
			}
		default:
			s.OtherLower(name, "id", "type", "attributes", "relationships")
		}
	}
	return r
}

func (s *scanner) links(l *links) {
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "base_token":
			s.link(&l.baseToken)
		case "quote_token":
			s.link(&l.quoteToken)
		case "dex":
			s.link(&l.dex)
		case "top_pools":
			s.linkList(&l.topPools)
		default:
			s.OtherLower(name, "base_token", "quote_token", "dex", "top_pools")
		}
	}
}

// link reads a relationship to one record.
func (s *scanner) link(id *string) {
	if s.Null() {
		return
	}
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); {
		case name != "data":
			s.OtherLower(name, "data")
		case *id != "":
			s.Fail()
		case !s.Null():
			s.reference(id)
		}
	}
}

// linkList reads a relationship to several.
func (s *scanner) linkList(ids *[]string) {
	if s.Null() {
		return
	}
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); {
		case name != "data":
			s.OtherLower(name, "data")
		case *ids != nil:
			s.Fail()
		case !s.Null():
			for more := s.Open('['); more; more = s.Next('[') {
				id := ""
				s.reference(&id)
				*ids = append(*ids, id)
			}
		}
	}
}

// reference reads {id, type}.
func (s *scanner) reference(id *string) {
	kind := ""
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "id":
			s.String(id)
		case "type":
			s.String(&kind)
		default:
			s.OtherLower(name, "id", "type")
		}
	}
}
