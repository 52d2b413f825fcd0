/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.namenode.web;

import java.util.Properties;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.authentication.server.AuthenticationHandler;
import org.apache.hadoop.security.authentication.server.AuthenticationToken;

/** Takes the header X-User for a proof of identity. Requests without it get the status 401. */
@InterfaceAudience.Private
public class HeaderAuthentication implements AuthenticationHandler {
  /** The header that names the user. */
  static final String USER = "X-User";

  @Override
  public String getType() {
    return "header";
  }

  @Override
  public void init(Properties config) {
  }

  @Override
  public void destroy() {
  }

  @Override
  public boolean managementOperation(AuthenticationToken token, HttpServletRequest request,
      HttpServletResponse response) {
    return true;
  }

  @Override
  public AuthenticationToken authenticate(HttpServletRequest request,
      HttpServletResponse response) {
    String user = request.getHeader(USER);
    if (user == null) {
      response.setHeader("WWW-Authenticate", "Header");
      return null;
    }
    return new AuthenticationToken(user, user, getType());
  }
}
