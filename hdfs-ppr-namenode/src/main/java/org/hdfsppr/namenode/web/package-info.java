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
/**
 * The pages about repairs of the NameNode's own web server, below {@code /ppr/}. Everything here
 * reads the manager's published status and changes nothing. A {@code PageSource} makes pages;
 * {@code WebPages} adds the servlets to the server. The page for a browser is plain HTML, CSS and
 * JavaScript modules among the resources: {@code ppr.js} decides which documents are read, {@code
 * feed.js} reads them again and again, and other modules draw the parts of the page.
 */
package org.hdfsppr.namenode.web;
